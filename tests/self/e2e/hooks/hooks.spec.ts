/**
 * Tests HOOKS: a module of the user gives test data and credentials, and receives the created resources. Each fault of the module
 * is reported in one sentence.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import type { HookCreated } from '../../../../fixtures/runner/hooks/hooks.ts';
import { checkHookData, loadHooks } from '../../../../fixtures/runner/hooks/run-hooks.ts';
import { createBank } from '../../../../fixtures/reference-bank/bank.ts';
import type { Handler } from '../../../../fixtures/reference-bank/http/serve.ts';
import { runConformance, readReport, ROOT_FOLDER, makeSandboxEnv, serveDuring } from '../../support/command.ts';
import { makeTempDir, makeTempFile, readTexts } from '../../support/temp-dir.ts';

const judgeWithHooks = (folder: string, env: Readonly<Record<string, string>>) =>
  runConformance({ REPORT_DIR: join(folder, 'report'), RUNS: '2', SEED: '1', ...env }, { cwd: folder });

test('The example module of HOOKS gives customer addresses and a token for payment links, and gets the created resources', async () => {
  const token = 'tok-of-the-merchant-7Hq2';
  const { ACCESS_TOKEN: usualToken = '' } = makeSandboxEnv('');
  const bank = createBank();
  const refused = new Set<string>();
  const ips = new Set<string>();
  const guarding: Handler = {
    async fetch(request) {
      const isLink = new URL(request.url).pathname.includes('paybylink');
      const authorization = request.headers.get('authorization');
      const headers = new Headers(request.headers);
      if (isLink && authorization === `Bearer ${token}`) headers.set('authorization', `Bearer ${usualToken}`);
      else if (isLink && authorization === `Bearer ${usualToken}`)
        headers.set('authorization', 'Bearer of somebody else');
      const body = request.method === 'GET' ? null : await request.text();
      const [, ip] = /"customer_ip":"([^"]*)"/.exec(body ?? '') ?? [];
      const answer = await bank.fetch(new Request(request.url, { method: request.method, headers, body }));
      if (ip !== undefined && answer.ok) ips.add(ip);
      if (isLink && authorization === `Bearer ${usualToken}`) refused.add(request.url);
      return answer;
    },
  };
  const folder = makeTempDir();
  writeFileSync(join(folder, 'merchant-token.txt'), `${token}\n`);
  const settings = { HOOKS: join(ROOT_FOLDER, 'fixtures/runner/hooks/example.ts'), AREAS: 'loans,payment-links' };
  const { status, out } = await serveDuring(guarding, (url) =>
    judgeWithHooks(folder, { ...makeSandboxEnv(url), ...settings }),
  );
  expect(status, out).toBe(0);
  const report = readReport(join(folder, 'report'));
  const created = JSON.parse(readFileSync(join(folder, 'report/to-cancel.json'), 'utf8')) as HookCreated[];
  const nameResource = ({ what, id }: Pick<HookCreated, 'what' | 'id'>): string => `${what} ${id}`;
  const createdItems = report?.createdResources.items.filter(({ perhaps }) => !perhaps) ?? [];
  expect(created.map(nameResource).sort()).toEqual(createdItems.map(nameResource).sort());
  expect(new Set(created.map(({ what }) => what))).toEqual(
    new Set(['application', 'contract', 'disbursement', 'link']),
  );
  expect([...ips]).toEqual(['192.0.2.77']);
  for (const [file, text] of readTexts(join(folder, 'report')))
    expect([file, text.includes(token)]).toEqual([file, false]);
});

test('If prepare of the HOOKS module throws, no request is sent, and the exit status is 2', async () => {
  const folder = makeTempDir();
  writeFileSync(join(folder, 'hooks.mjs'), "export default { prepare() { throw new Error('the service is down') } };");
  const { status, out } = await judgeWithHooks(folder, { HOOKS: 'hooks.mjs', AREAS: 'atms' });
  expect([status, out.replace(/\s+/g, ' ')]).toEqual([
    2,
    expect.stringContaining('HOOKS prepare failed: the service is down'),
  ]);
  expect(readReport(join(folder, 'report'))?.requests ?? 0).toBe(0);
});

test('A HOOKS module with wrong exports or wrong test data is refused in one sentence', async () => {
  for (const [text, sentence] of [
    ["throw new Error('no test data')", 'cannot be loaded: no test data'],
    ['export const prepare = () => ({});', 'whose default export is no object with prepare, credentials, cleanUp.'],
    ['export default { prepare() {}, cleanup() {} };', 'with a hook cleanup that is not known or no function'],
  ] as const)
    await expect(loadHooks(makeTempFile('hooks.mjs', text))).rejects.toThrow(sentence);
  expect(() => checkHookData({ acounts: [] })).toThrow(
    'gave test data with acounts: only accounts, merchants, customerIps are known',
  );
});
