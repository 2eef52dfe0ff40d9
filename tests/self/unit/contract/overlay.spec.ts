/** Tests a whole run with OVERLAY against a bank that has other paths and header names. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { parse } from 'yaml';
import type { Handler } from '../../../../fixtures/banks/lib/mutant.ts';
import { createBank } from '../../../../fixtures/reference-bank/bank.ts';
import { examineUrl } from '../../support/examine.ts';
import { runConformance, makeSandboxEnv, serveDuring } from '../../support/command.ts';
import { makeTempFile } from '../../support/temp-dir.ts';

test.describe.configure({ mode: 'parallel' });

function makeRenamedBank(): Handler {
  const bank = createBank();
  return {
    fetch(request) {
      const url = new URL(request.url);
      if (!/^\/api\/(?:acme|v1)\//.test(url.pathname)) return Response.json({ error: 'not found' }, { status: 404 });
      url.pathname = url.pathname.replace('/api/acme/plastic/', '/api/bank/card/').replace('/api/acme/', '/api/bank/');
      const headers = new Headers(request.headers);
      for (const word of ['client-id', 'client-secret']) {
        headers.delete(`x-gw-${word}`);
        const value = headers.get(`x-acme-${word}`);
        if (value !== null) headers.set(`x-gw-${word}`, value);
      }
      return bank.fetch(
        new Request(url, {
          method: request.method,
          headers,
          ...(request.body === null ? {} : { body: request.body, duplex: 'half' }),
        }),
      );
    },
  };
}

const schemesByArea = ['loans', 'links', 'atms'].flatMap((area) =>
  (['Id', 'Secret'] as const).map(
    (which) => [`${area}Client${which}`, `X-Acme-client-${which.toLowerCase()}`] as const,
  ),
);

/** Writes the overlay of a vendor with other names: every path is copied under its new name, and every header is renamed. */
function makeVendorOverlay(): string {
  const { paths } = parse(readFileSync(join(__dirname, '../../../../openapi/bank/bank-open-api.yaml'), 'utf8')) as {
    paths: Record<string, unknown>;
  };
  const moved = Object.keys(paths).filter((name) => name.startsWith('/api/bank/'));
  return JSON.stringify({
    overlay: '1.1.0',
    info: { title: 'The words of Acme', version: '1' },
    actions: [
      ...moved.flatMap((name) => {
        const own = name.replace('/api/bank/card/', '/api/acme/plastic/').replace('/api/bank/', '/api/acme/');
        return [
          { target: '$.paths', update: { [own]: {} } },
          { target: `$.paths['${own}']`, copy: `$.paths['${name}']` },
          { target: `$.paths['${name}']`, remove: true },
        ];
      }),
      ...schemesByArea.map(([scheme, name]) => ({
        target: `$.components.securitySchemes.${scheme}`,
        update: { name },
      })),
    ],
  });
}

test('A bank with other paths and header names is conformant with its overlay, and not without it', async () => {
  await serveDuring(makeRenamedBank(), async (url) => {
    const short = { ...makeSandboxEnv(url), RUNS: '1' };
    const passed = await runConformance({ ...short, OVERLAY: makeTempFile('acme.overlay.json', makeVendorOverlay()) });
    expect(passed.status, passed.out).toBe(0);
    const { report } = passed;
    expect(report?.verdict).toBe('conformant');
    expect(report?.findings).toEqual([]);
    expect(report?.operations[0]?.path).toBe('/api/acme/revolving-loans/v1/validations');
    const header = report?.clauses.find(({ id }) => id === 'atms.header.client-id');
    expect(header?.statement).toMatch(/^(?!.*X-GW).*X-Acme-client-id/);
    const { overlay, contractDigest } = report!.suite;
    expect(overlay).toMatchObject({ title: 'The words of Acme', actions: 36 });
    expect(new Set([overlay?.digest, overlay?.contractDigest, contractDigest]).size).toBe(3);
    for (const text of [passed.out, readFileSync(join(passed.folder, 'conformance.html'), 'utf8')])
      expect(text).toContain('The words of Acme');
    const { verdict } = await examineUrl(url, { env: { RUNS: '1', AREAS: 'atms' } });
    expect(['inconclusive', 'non-conformant']).toContain(verdict);
  });
});
