/**
 * Tests runs whose credentials are issued during the run, by ACCESS_TOKEN_COMMAND or by HOOKS. The bank repeats every credential
 * that it got. No file and no output contains a credential, and no file with credentials stays on the machine.
 */
import { randomBytes } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { expect, test } from '@playwright/test';
import { createBank, sandboxCredentials } from '../../../fixtures/reference-bank/bank.ts';
import { openIssuedCredentials } from '../../../fixtures/run/redaction/issued-credentials.ts';
import type { Handler } from '../../../fixtures/reference-bank/http/serve.ts';
import {
  listProcessFamily,
  makeSandboxEnv,
  mergeShards,
  readJournalLines,
  runConformance,
  serveDuring,
  type Ended,
  type Ran,
} from '../support/command.ts';
import { makeTempDir } from '../support/temp-dir.ts';
import { thoroughUnless, THOROUGH_ONLY } from '../support/thorough.ts';
import { unzip } from '../support/zip.ts';

/** A folder with the list of all issued credentials, and the temporary folder of the runs. */
function makeIssuer() {
  const folder = makeTempDir();
  const list = path.join(folder, 'issued');
  const temp = path.join(folder, 'temp');
  mkdirSync(temp);
  writeFileSync(list, '');
  const readIssued = (): readonly string[] => readFileSync(list, 'utf8').split('\n').slice(0, -1);
  /** Writes a program that issues credentials. `code` may use `issue()`, and `nth`: how often the program was started, from 1. */
  const writeProgram = (name: string, code: string): string => {
    const file = path.join(folder, name);
    const begin = `const fs = require('fs'), list = ${JSON.stringify(list)};
      const issue = () => { const credential = 'issued-' + require('crypto').randomBytes(18).toString('base64url');
        fs.appendFileSync(list, credential + '\\n'); return credential; };
      const runs = ${JSON.stringify(`${file}.runs`)}; fs.appendFileSync(runs, 'x'); const nth = fs.statSync(runs).size;`;
    writeFileSync(file, `${begin}\n${code}`);
    return file;
  };
  return { list, temp, readIssued, writeProgram, readLeft: () => listTempFiles(temp) };
}

type Issuer = ReturnType<typeof makeIssuer>;

/** Returns the files in the private folders of issued credentials. */
const listTempFiles = (temp: string): readonly string[] =>
  readdirSync(temp)
    .filter((name) => name.startsWith('bank-open-api-credentials'))
    .flatMap((name) => readdirSync(path.join(temp, name)).map((file) => path.join(temp, name, file)));

const CREDENTIAL_HEADERS = {
  authorization: `Bearer ${sandboxCredentials.accessToken}`,
  'x-gw-client-secret': sandboxCredentials.clientSecret,
};

/**
 * Makes a bank that accepts issued credentials. It repeats the credentials of all earlier requests in header fields, bodies and
 * error pages. `choose` returns which of them it repeats.
 */
function makeRepeatingBank(
  { readIssued }: Issuer,
  choose = (seenCredentials: readonly string[]) => seenCredentials,
): Handler {
  const bank = createBank();
  const seenCredentials = new Set<string>();
  let nth = 0;
  return {
    async fetch(request) {
      const headers = new Headers(request.headers);
      for (const [name, right] of Object.entries(CREDENTIAL_HEADERS)) {
        const value = headers.get(name)?.replace(/^Bearer /, '') ?? '';
        if (!readIssued().includes(value)) continue;
        seenCredentials.add(value);
        headers.set(name, right);
      }
      const body = request.method === 'GET' ? null : await request.text();
      const response = await bank.fetch(new Request(request.url, { method: request.method, headers, body }));
      const text = await response.text();
      const echo = choose([...seenCredentials]).join(' ');
      const echoHeaders = new Headers(response.headers);
      echoHeaders.delete('content-length');
      for (const name of ['x-session', 'retry-after', 'set-cookie', `x-${randomBytes(2).toString('hex')}`])
        echoHeaders.set(name, echo);
      nth += 1;
      if (nth % 23 === 0) return new Response(`<html><pre>${echo}</pre></html>`, { status: 500, headers: echoHeaders });
      const repeated = text.replace(/^\{/, `{"echo":${JSON.stringify(echo)},"${encodeURIComponent(echo)}":1,`);
      return new Response(repeated, { status: response.status, headers: echoHeaders });
    },
  };
}

const makeEnvironment = (url: string, { temp }: Issuer, command: string): Record<string, string> => ({
  ...makeSandboxEnv(url),
  ...(command === '' ? {} : { ACCESS_TOKEN: '', ACCESS_TOKEN_COMMAND: `'${process.execPath}' '${command}'` }),
  AREAS: 'payment-links,atms',
  RENDER: 'sarif,har,summary,annotations,gitlab,badge',
  RUNS: '2',
  SEED: '7',
  TMPDIR: temp,
});

const ROTATING = 'console.log(JSON.stringify({ access_token: issue(), expires_in: 3600 }));';

const unpack = (name: string, content: Buffer): readonly Buffer[] =>
  name.endsWith('.zip') ? unzip(content) : [name.endsWith('.gz') ? gunzipSync(content) : content];

/** Returns where the files in folders and the outputs of runs contain issued credentials. */
function findIssued({ readIssued }: Issuer, folders: readonly string[], ran: readonly Ended[]): readonly string[] {
  const issued = readIssued();
  const files = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => path.join(folder, name)),
  );
  const texts = [
    ...ran.map(({ out }): readonly [string, string] => ['the terminal', out]),
    ...files
      .filter((file) => statSync(file).isFile())
      .flatMap((file) => unpack(file, readFileSync(file)).map((content) => [file, content.toString('utf8')] as const)),
  ];
  return texts.flatMap(([where, text]) =>
    issued.flatMap((credential) => (text.includes(credential) ? [`${path.basename(where)}: ${credential}`] : [])),
  );
}

const listReflections = ({ report }: Ran): readonly string[] => [
  ...new Set(
    report?.findings.flatMap(({ clause, verdict }) =>
      clause === 'service.credentials-not-reflected' ? [`${clause} ${verdict}`] : [],
    ),
  ),
];
const REFLECTED = ['service.credentials-not-reflected warning'];

test('ACCESS_TOKEN_COMMAND runs once for preflight and worker, and once more after a 401', async () => {
  const issuer = makeIssuer();
  const command = issuer.writeProgram('token.cjs', ROTATING);
  const ran = await serveDuring(makeRepeatingBank(issuer), (url) =>
    runConformance(makeEnvironment(url, issuer, command)),
  );
  // Wrong credentials get a 401, and the token may be the reason.
  expect(issuer.readIssued().length, ran.out).toBe(2);
  expect(listReflections(ran), ran.out).toEqual(REFLECTED);
  expect(ran.report?.errors).toEqual([]);
  expect(readJournalLines(ran.folder).length).toBeGreaterThan(200);
  expect(findIssued(issuer, [ran.folder], [ran])).toEqual([]);
  expect(issuer.readLeft()).toEqual([]);
});

test('A token that only the preflight sent is found in answers to the worker, and is not written', async () => {
  const issuer = makeIssuer();
  const command = issuer.writeProgram('token.cjs', ROTATING);
  let requests = 0;
  const repeating = makeRepeatingBank(issuer, (seenCredentials) => seenCredentials.slice(0, 1));
  // The bank revokes the first token after the preflight, so that the worker gets another one.
  const revoking: Handler = {
    fetch(request) {
      const [first = ''] = issuer.readIssued();
      const isRevoked = (requests += 1) > 2 && request.headers.get('authorization') === `Bearer ${first}`;
      return isRevoked ? new Response('{}', { status: 401 }) : repeating.fetch(request);
    },
  };
  const settings = { AREAS: 'payment-links', PROBE_CREDENTIALS: '0' };
  const ran = await serveDuring(revoking, (url) =>
    runConformance({ ...makeEnvironment(url, issuer, command), ...settings }),
  );
  expect(issuer.readIssued().length, ran.out).toBe(2);
  expect(listReflections(ran), ran.out).toEqual(REFLECTED);
  expect(findIssued(issuer, [ran.folder], [ran])).toEqual([]);
});

test('A credential that another shard gets during the run is found in answers to this shard, and is not written', async () => {
  const issuer = makeIssuer();
  const command = issuer.writeProgram('token.cjs', ROTATING);
  const otherCredential = `issued-${randomBytes(18).toString('base64url')}`;
  const repeating = makeRepeatingBank(issuer, () => issuer.readIssued());
  let requests = 0;
  const bank: Handler = {
    fetch(request) {
      if ((requests += 1) === 20) {
        const [file = ''] = issuer.readLeft();
        const ofShard = path.join(
          path.dirname(file),
          `${path.basename(file).split('-')[0]}-${process.pid}@${hostname()}`,
        );
        openIssuedCredentials(ofShard, () => {}).add({ name: 'HOOKS_CLIENT_SECRET', value: otherCredential });
        appendFileSync(issuer.list, `${otherCredential}\n`);
      }
      return repeating.fetch(request);
    },
  };
  const ran = await serveDuring(bank, (url) =>
    runConformance({ ...makeEnvironment(url, issuer, command), AREAS: 'atms' }),
  );
  expect(listReflections(ran), ran.out).toEqual(REFLECTED);
  expect(findIssued(issuer, [ran.folder], [ran])).toEqual([]);
  // This process, the other shard, has not ended.
  expect(issuer.readLeft().some((file) => readFileSync(file, 'utf8').includes(otherCredential))).toBe(true);
});

for (const [when, failing] of [
  ['first', 'nth === 1'],
  ['second', 'nth > 1'],
] as const)
  test(
    `If ACCESS_TOKEN_COMMAND fails at its ${when} call, one sentence says so, and nothing that it printed is shown`,
    thoroughUnless(when === 'first'),
    async () => {
      const issuer = makeIssuer();
      const command = issuer.writeProgram(
        'token.cjs',
        `const token = issue();
       if (${failing}) { console.log(token); console.error('no ' + token); process.exitCode = 7; }
       else console.log(JSON.stringify({ access_token: token, expires_in: 1 }));`,
      );
      const { ran, requests } = await serveDuring(makeRepeatingBank(issuer), async (url, countRequests) => ({
        // The bank repeats credentials: with FAIL_ON, this finding would decide the exit status.
        ran: await runConformance({ ...makeEnvironment(url, issuer, command), FAIL_ON: 'none' }),
        requests: countRequests(),
      }));
      expect(ran.status, ran.out).toBe(2);
      expect(ran.out.replaceAll(/\s+/g, ' ')).toContain(
        'ACCESS_TOKEN_COMMAND ended with exit status 7: run it by hand.',
      );
      expect(requests > 0).toBe(when === 'second');
      expect(findIssued(issuer, [ran.folder], [ran])).toEqual([]);
      expect(issuer.readLeft()).toEqual([]);
    },
  );

test('Credentials that HOOKS give to a scenario are found in answers to other scenarios, and are not written', async () => {
  const issuer = makeIssuer();
  const hooks = issuer.writeProgram(
    'hooks.cjs',
    `module.exports = {
       credentials: () => ({ accessToken: issue(), clientSecret: issue() }),
       cleanUp() { throw new Error('not cleaned up for ' + fs.readFileSync(list, 'utf8')); },
     };`,
  );
  const repeating = makeRepeatingBank(issuer);
  // The bank needs no credentials, so that those of the hooks are the only ones.
  const open: Handler = {
    fetch(request) {
      const headers = new Headers({ ...CREDENTIAL_HEADERS, ...Object.fromEntries(request.headers) });
      return repeating.fetch(new Request(request, { headers }));
    },
  };
  const settings = { HOOKS: hooks, CLIENT_SECRET: 'none', ACCESS_TOKEN: 'none', PROBE_CREDENTIALS: '0' };
  const ran = await serveDuring(open, (url) => runConformance({ ...makeEnvironment(url, issuer, ''), ...settings }));
  expect(issuer.readIssued().length, ran.out).toBeGreaterThan(20);
  expect(listReflections(ran), ran.out).toEqual(REFLECTED);
  expect(ran.out).toContain('cleanUp failed');
  expect(findIssued(issuer, [ran.folder], [ran])).toEqual([]);
  expect(issuer.readLeft()).toEqual([]);
});

test('Two concurrent shards share one token, hide the credentials of each other, and leave no file of credentials', async () => {
  const issuer = makeIssuer();
  const command = issuer.writeProgram('token.cjs', ROTATING);
  const hooks = issuer.writeProgram(
    'hooks.cjs',
    'module.exports = { credentials: () => ({ clientSecret: issue() }) };',
  );
  const blobs = makeTempDir();
  const shards = await serveDuring(makeRepeatingBank(issuer), (url) =>
    Promise.all(
      ['1', '2'].map((shard) =>
        runConformance(
          {
            ...makeEnvironment(url, issuer, command),
            ...{ HOOKS: hooks, PROBE_CREDENTIALS: '0', AREAS: 'payment-links' },
            PLAYWRIGHT_BLOB_OUTPUT_FILE: path.join(blobs, `${shard}.zip`),
          },
          { more: [`--shard=${shard}/2`, '--reporter=blob'] },
        ),
      ),
    ),
  );
  expect(
    shards.map(({ status }) => status),
    shards.map(({ out }) => out).join('\n'),
  ).toEqual([0, 0]);
  expect(readFileSync(`${command}.runs`, 'utf8')).toBe('x');
  const merged = await mergeShards(blobs);
  expect(listReflections(merged), merged.out).toEqual(REFLECTED);
  const runs = [...shards, merged];
  expect(findIssued(issuer, [blobs, ...runs.map(({ folder }) => folder)], runs)).toEqual([]);
  expect(issuer.readLeft()).toEqual([]);
});

test(
  'A killed run leaves no credential in the report folder, and the next run deletes its temporary file of credentials',
  THOROUGH_ONLY,
  async () => {
    const issuer = makeIssuer();
    const command = issuer.writeProgram('token.cjs', ROTATING);
    const folder = makeTempDir();
    const killed = await serveDuring(makeRepeatingBank(issuer), (url) =>
      runConformance(
        { ...makeEnvironment(url, issuer, command), REPORT_DIR: folder },
        {
          async meanwhile(child) {
            while (readJournalLines(folder).length < 50 && child.exitCode === null) await setTimeout(20);
            for (const pid of listProcessFamily(child.pid ?? 0)) process.kill(pid, 'SIGKILL');
          },
        },
      ),
    );
    expect(killed.signal).toBe('SIGKILL');
    expect(findIssued(issuer, [folder], [killed])).toEqual([]);
    const [leftFile = ''] = issuer.readLeft();
    expect(readFileSync(leftFile, 'utf8')).toContain(issuer.readIssued()[0]);
    expect([statSync(leftFile).mode & 0o777, statSync(path.dirname(leftFile)).mode & 0o777]).toEqual([0o600, 0o700]);
    const nextRun = await serveDuring(makeRepeatingBank(issuer), (url) =>
      runConformance({ ...makeEnvironment(url, issuer, command), AREAS: 'atms' }),
    );
    expect([existsSync(leftFile), issuer.readLeft()], nextRun.out).toEqual([false, []]);
  },
);

for (const how of ['a run', 'a shard'])
  test(
    `If the bank repeats a token before ${how} gets it, the last scan also removes the token from the logs`,
    THOROUGH_ONLY,
    async () => {
      const issuer = makeIssuer();
      const earlyToken = `issued-${randomBytes(18).toString('base64url')}`;
      const command = issuer.writeProgram(
        'token.cjs',
        `if (nth > 1) fs.appendFileSync(list, ${JSON.stringify(`${earlyToken}\n`)});
         console.log(nth === 1 ? issue() : ${JSON.stringify(earlyToken)});`,
      );
      const repeating = makeRepeatingBank(issuer, (seenCredentials) => [...seenCredentials, earlyToken]);
      const blobs = makeTempDir();
      const more = how === 'a run' ? [] : ['--shard=1/1', '--reporter=blob'];
      const ran = await serveDuring(repeating, (url) =>
        runConformance(
          { ...makeEnvironment(url, issuer, command), PLAYWRIGHT_BLOB_OUTPUT_FILE: path.join(blobs, '1.zip') },
          { more },
        ),
      );
      const judged = how === 'a run' ? ran : await mergeShards(blobs);
      expect(judged.status, judged.out).toBe(3);
      expect(judged.out.replaceAll(/\s+/g, ' ')).toContain('withheld there: ACCESS_TOKEN at');
      expect(findIssued(issuer, [ran.folder, judged.folder, blobs], [ran, judged])).toEqual([]);
    },
  );
