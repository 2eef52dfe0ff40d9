import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from '@playwright/test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { parse } from 'yaml';
import { openVariant } from '../../../../fixtures/banks/lib/variant.ts';
import { findVariant } from '../../../../fixtures/banks/variants/index.ts';
import type { Schema } from '../../../../openapi/contract/references.ts';
import type { Handler } from '../../../../fixtures/banks/lib/mutant.ts';
import { createBank } from '../../../../fixtures/reference-bank/bank.ts';
import { makeDialectOverlay, writeOverlay } from '../../../../reports/baseline/overlay.ts';
import { examineBank, examineUrl } from '../../support/examine.ts';
import { runConformance, makeSandboxEnv, makeScriptWords, runProcess, serveDuring } from '../../support/command.ts';
import { makeTempFile } from '../../support/temp-dir.ts';
import { THOROUGH_ONLY } from '../../support/thorough.ts';
import { lint } from './lint.ts';

test.describe.configure({ mode: 'parallel' });

const variantNames = ['statuses-by-operation', 'more-fields', 'error-body-problem'] as const;

const ajv = new Ajv2020({ strict: false, allErrors: true });
(formats as unknown as (ajv: Ajv2020) => void)(ajv);
const overlayValidator = ajv.compile(parse(readFileSync(join(__dirname, 'overlay-1.0.schema.yaml'), 'utf8')) as object);

for (const name of variantNames)
  test(
    `The overlay of a bank gives a document without lint errors, which this bank keeps and another breaks: ${name}`,
    THOROUGH_ONLY,
    async () => {
      const report = await examineBank(openVariant(findVariant(name)));
      const overlay = makeDialectOverlay(report);
      expect(overlayValidator(overlay), JSON.stringify(overlayValidator.errors)).toBe(true);
      expect(overlay.actions.length).toBeGreaterThan(20);
      const given = makeTempFile('dialect.overlay.yaml', writeOverlay(report));

      const document = join(dirname(given), 'contract.yaml');
      const made = await runProcess(makeScriptWords('reports/cli/contract.ts', '--overlay', given, '--out', document));
      expect(made.status, made.out).toBe(0);
      expect(lint(parse(readFileSync(document, 'utf8')) as Schema)).toEqual([]);

      for (const other of [name, variantNames.find((variant) => variant !== name) ?? name]) {
        const variant = findVariant(other);
        await serveDuring(openVariant(variant), async (url) => {
          const env = { ...makeSandboxEnv(url), ...variant.env, RUNS: '1', OVERLAY: given };
          const judged = await runConformance(env);
          const expected = other === name ? 'conformant' : 'non-conformant';
          expect(judged.report?.verdict, `${other} under the overlay of ${name}`).toBe(expected);
        });
      }
    },
  );

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
  const { paths } = parse(readFileSync(join(__dirname, '../../../../openapi/contract/bank-open-api.yaml'), 'utf8')) as {
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

test('A bank with its own path segments and header names passes with its overlay, and fails without it', async () => {
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
