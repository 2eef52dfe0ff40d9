/**
 * The gate as a test: `--reporter=list`, Playwright's UI mode and an IDE put another reporter in the place of ours, which draws
 * the verdict. This test comes after all scenarios, draws it instead, writes the report, and fails where the gate does.
 */
import path from 'node:path';
import { test as base } from '@playwright/test';
import { manifestName, manifestOf } from '../journal/manifests.ts';
import { descriptionIn } from '../model/description.ts';
import { stripVTControlCharacters } from 'node:util';
import type { ReporterOptions } from '../reporter.ts';
import { conclude } from './conclude.ts';

const test = base.extend<{ reporterOptions: ReporterOptions }>({ reporterOptions: [{}, { option: true }] });

/** What the reader needs is the text; where in this file it was thrown says nothing. */
function failure(text: string): Error {
  const error = new Error(text);
  error.stack = `Error: ${text}`;
  return error;
}

test('The target conforms to the document', async ({ reporterOptions }, info) => {
  const { config } = info;
  const names = config.reporter.map(([name]) => name);
  test.skip(
    names.some((name) => /reports[\\/]reporter\.[jt]s$/.test(name)),
    'the reporter draws the verdict',
  );
  if (config.shard !== null) {
    if (names.includes('blob')) {
      const body = JSON.stringify(manifestOf(descriptionIn(config.metadata), config.shard));
      await info.attach(manifestName, { body, contentType: 'application/json' });
      test.skip(true, 'the verdict is drawn when the shards are merged');
    }
    throw new Error('A shard alone draws no verdict, and what it saw is lost without a blob: give --reporter=blob.');
  }
  const { reportDir = 'reports/out', render, seal, scan, ownsFolder, startedAt = Date.now() } = reporterOptions;
  const { run, target, suite, caps, baselineFiles, configuration } = descriptionIn(config.metadata);
  const { report, text, unwritten } = await conclude({
    folder: path.resolve(path.dirname(config.configFile ?? '.'), reportDir),
    run,
    attached: [],
    factsOf: (errors) => ({
      target,
      suite,
      startedAt: new Date(startedAt).toISOString(),
      durationMs: Date.now() - startedAt,
      ...(caps === undefined ? {} : { caps }),
      ...(baselineFiles === undefined ? {} : { baselineFiles }),
      ...(configuration === undefined ? {} : { configuration }),
      errors,
    }),
    render,
    seal,
    scan,
    // Where it is not known when the run began, every file may be of it.
    since: reporterOptions.startedAt ?? 0,
    ownsFolder,
    color: false,
  });
  if (!report.gate.pass) throw failure(stripVTControlCharacters(text).trim());
  if (unwritten !== null) throw new Error(unwritten);
  process.stdout.write(text);
});
