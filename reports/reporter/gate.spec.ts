/**
 * The gate as a test. `--reporter=list`, the UI mode of Playwright and an IDE replace the reporter of the suite, which decides the
 * verdict. Then this test runs after all scenarios, writes the report, and fails if the gate fails.
 */
import path from 'node:path';
import { test as base } from '@playwright/test';
import { print, toPrintable } from '../../openapi/foreign/print.ts';
import { removeSecretsFromJournals } from '../journal/history.ts';
import { MANIFEST_NAME, makeManifest } from '../journal/manifests.ts';
import { readDescription } from '../model/description.ts';
import type { ReporterOptions } from '../reporter.ts';
import { counted } from '../text/phrases.ts';
import { concludeRun } from './conclude.ts';
import { SHARD_WITHOUT_BLOB, getShard } from './shard-alone.ts';

const test = base.extend<{ reporterOptions: ReporterOptions }>({ reporterOptions: [{}, { option: true }] });

/** Makes an error without a stack trace: the position in this file does not help the reader. */
function makeFailure(text: string): Error {
  const error = new Error(text);
  error.stack = `Error: ${text}`;
  return error;
}

test('The bank conforms to the document', async ({ reporterOptions }, info) => {
  const { config } = info;
  const { reportDir = 'reports/out', startedAt = Date.now(), brokenWorkers = () => 0, withhold } = reporterOptions;
  const folder = path.resolve(path.dirname(config.configFile ?? '.'), reportDir);
  const description = readDescription(config.metadata);
  const shard = getShard(config);
  if (shard !== null) {
    if (shard.hasBlob) {
      // Only this machine knows the credentials that the shard was issued.
      const leaks = withhold === undefined ? [] : removeSecretsFromJournals(folder, description.run, withhold);
      const body = JSON.stringify(makeManifest(description, shard, leaks));
      await info.attach(MANIFEST_NAME, { body, contentType: 'application/json' });
      reporterOptions.judged?.();
      test.skip(true, 'the verdict comes when the shards are merged');
    }
    throw new Error(SHARD_WITHOUT_BLOB);
  }
  test.skip(
    config.reporter.some(([name]) => /reports[\\/]reporter\.[jt]s$/.test(name)),
    'the reporter decides the verdict',
  );
  const brokenCount = brokenWorkers();
  const brokenMessage = `${counted(brokenCount, 'worker')} broke, or ended before its scenarios did.`;
  const { report, text } = concludeRun({
    ...reporterOptions,
    folder,
    run: description.run,
    attached: [],
    makeFacts: (errors) => ({
      ...description,
      startedAt: new Date(startedAt).toISOString(),
      durationMs: Date.now() - startedAt,
      errors: brokenCount === 0 ? errors : [...errors, { scenario: null, message: brokenMessage }],
    }),
    color: false,
  });
  reporterOptions.judged?.();
  // The reporter prints the message unchanged.
  if (!report.gate.pass) throw makeFailure(toPrintable(text).trim());
  print(text);
});
