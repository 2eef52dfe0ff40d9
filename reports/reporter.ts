/**
 * Receives the events of the test runner during a run, or the events of all shards in `merge-reports`. At the end, makes and prints
 * the report, and sets the exit status.
 */
import { appendFileSync } from 'node:fs';
import path from 'node:path';
import type {
  FullConfig,
  FullResult,
  Reporter,
  Suite,
  TestCase,
  TestError,
  TestResult,
} from '@playwright/test/reporter';
import { chooseColours, ignoreClosedOutput, print, printAnnotations } from '../openapi/foreign/print.ts';
import { readDescription, type RunDescription, type RunFacts, GATE_PROJECT } from './model/description.ts';
import {
  findConfigurationFault,
  isRunTimeOut,
  getErrorMessage,
  findSelectionFault,
} from './reporter/playwright-errors.ts';
import { describeShardEnd, getShard, type Shard } from './reporter/shard-alone.ts';
import { removeReport } from './formats/paths.ts';
import type { AttachedJournal } from './journal/history.ts';
import { clearJournals, JOURNAL_FOLDER } from './journal/read.ts';
import { describeOpening, Progress } from './reporter/progress.ts';
import type { ExitStatus, Report, SuiteError } from './model/report.ts';
import type { FolderOptions } from './reporter/conclude.ts';
import { findShardFaults, MANIFEST_NAME, readManifest, type Manifest } from './journal/manifests.ts';
import { writeRunFile, type RunStart } from './journal/run-file.ts';
import { toOneLine } from './text/sanitize.ts';
import { stripVTControlCharacters } from 'node:util';

export interface ReporterOptions extends FolderOptions {
  /** The folder of the report, relative to the configuration. */
  readonly reportDir?: string;
  /** The Playwright project whose tests are the scenarios. Tests of other projects are only listed. */
  readonly project?: string;
  /** In a job of GitHub Actions: the file for its summary. Annotations go to the log. */
  readonly gitHub?: { readonly summaryFile: string | null } | null;
  /** Whether colours are used. By default, only on a terminal. */
  readonly colours?: boolean | undefined;
  /** Returns how many workers crashed. Needed if the gate is a test: this test does not see how scenarios end. */
  readonly brokenWorkers?: () => number;
  /** Called after the gate has judged the run, or a shard for a later merge, if the gate is a test. */
  readonly judged?: () => void;
  /** Called before the first scenario, with the titles of all selected scenarios in order. */
  readonly began?: (titles: readonly string[]) => void;
  /** Loads modules while the worker starts: the start of the worker takes longer. */
  readonly preload?: () => void;
  /** The start of the run, if another reporter receives its events (milliseconds since the epoch). */
  readonly startedAt?: number | undefined;
  readonly configDir?: string;
  readonly _mode?: 'list' | 'test' | 'merge';
}

/** Counts the scenarios that will run: the test runner also lists those that the settings leave out. */
function countPlannedScenarios(
  tests: readonly TestCase[],
  { scope, suite: { settings = {} } }: RunDescription,
): number {
  const { REPLAY } = settings;
  if (REPLAY !== undefined) return REPLAY.split(',').length;
  if (scope === undefined) return tests.length;
  return tests.filter(({ title }) => scope.includes(title)).length;
}

// This module is loaded late, while the worker starts.
const requireConclude = (): typeof import('./reporter/conclude.ts') => require('./reporter/conclude.ts');

export default class ConformanceReporter implements Reporter {
  readonly #options: ReporterOptions;
  readonly #folder: string;
  readonly #scenarioProject: string;
  readonly #attachedJournals: AttachedJournal[] = [];
  readonly #manifests: Manifest[] = [];
  readonly #errors: SuiteError[] = [];
  readonly #configurationErrors: string[] = [];
  readonly #otherTests = new OtherProjectsListener((text) => this.#print(text));
  #progress: Progress | null = null;
  #wasReportRemoved = false;
  #description: RunDescription = readDescription(undefined);
  #shard: Shard | null = null;
  #scenarios: TestCase[] = [];
  /** False if the user runs only tests of other projects. */
  #hasScenarios = true;
  #hasReachedTimeLimit = false;
  #selectionFault: string | null = null;
  #runStart: RunStart | null = null;

  constructor(options: ReporterOptions = {}) {
    ignoreClosedOutput();
    chooseColours(options.colours);
    this.#options = options;
    this.#scenarioProject = options.project ?? 'conformance';
    this.#folder = path.resolve(options.configDir ?? process.cwd(), options.reportDir ?? 'reports/out');
  }

  printsToStdio(): boolean {
    return true;
  }

  onBegin(config: FullConfig, suite: Suite): void {
    const tests = suite.allTests();
    this.#scenarios = tests.filter((test) => this.#isScenario(test));
    const projects = config.filteredProjects?.length > 0 ? config.filteredProjects : config.projects;
    // Blobs without tests come from shards that could not start.
    const hasStarted = this.#options._mode !== 'merge' || tests.length > 0;
    const isScenarioProjectSelected = projects.some(({ name }) => name === this.#scenarioProject);
    this.#hasScenarios = !hasStarted || this.#scenarios.length > 0 || isScenarioProjectSelected;
    this.#description = readDescription(config.metadata);
    this.#shard = this.#options._mode === 'merge' ? null : getShard(config);
    if (this.#options._mode === 'list') this.#list(tests, config);
    else if (this.#options._mode !== 'merge') this.#beginRun(tests.filter((test) => !this.#isScenario(test)));
  }

  #list(tests: readonly TestCase[], { rootDir }: FullConfig): void {
    for (const test of tests) {
      const [project, , ...titles] = test.titlePath().filter(Boolean).map(toOneLine);
      const place = `${path.relative(rootDir, test.location.file)}:${test.location.line}`;
      this.#print(`${[project, place, ...titles, ...test.tags].join(' › ')}\n`);
    }
  }

  #beginRun(tests: readonly TestCase[]): void {
    const scenarios = this.#scenarios.map(({ title }) => title);
    const journals = path.join(this.#folder, JOURNAL_FOLDER);
    const description = this.#description;
    const columns = process.stdout.isTTY ? process.stdout.columns : null;
    if (scenarios.length > 0) {
      clearJournals(journals);
      this.#options.began?.(scenarios);
      this.#writeRunStart({ description, startedAt: new Date().toISOString(), scenarios });
      this.#print(`${describeOpening(this.#removeSecrets(description), columns)}\n`);
    }
    const plannedCount = countPlannedScenarios(this.#scenarios, description);
    this.#progress = new Progress({ scenarios: plannedCount, tests: tests.length, journals, columns });
  }

  onTestBegin(test: TestCase): void {
    if (!this.#isScenario(test)) return;
    this.#options.preload?.();
    requireConclude();
  }

  onTestEnd(test: TestCase, result: TestResult): void {
    for (const { name, body } of result.attachments) {
      const manifest = name === MANIFEST_NAME && body !== undefined ? readManifest(body.toString('utf8')) : null;
      if (manifest !== null) this.#manifests.push(manifest);
    }
    if (this.#isScenario(test)) return this.#endScenario(test, result);
    if (test.parent.project()?.name !== GATE_PROJECT) this.#otherTests.onTestEnd(test, result);
    const hasFailed = result.status !== 'skipped' && result.status !== test.expectedStatus;
    this.#progress?.testEnded(hasFailed);
  }

  #endScenario(test: TestCase, { status, attachments, errors }: TestResult): void {
    const isSkipped = status === 'skipped';
    // The journals of skipped scenarios are not missing.
    if (isSkipped && this.#runStart !== null)
      this.#writeRunStart({
        ...this.#runStart,
        scenarios: this.#runStart.scenarios.filter((title) => title !== test.title),
      });
    this.#removeEarlierReport();
    this.#attachedJournals.push(...attachments.filter(({ name }) => name === 'journal'));
    if (isSkipped || status === 'interrupted' || status === test.expectedStatus) return;
    const recordedErrors = errors.length > 0 ? errors : [{ message: `The scenario ${status}.` }];
    for (const error of recordedErrors) this.#recordError(error, test.title);
  }

  onError(error: TestError): void {
    this.#recordError(error, null);
  }

  onStdOut(chunk: string | Buffer): void {
    this.#print(chunk.toString());
  }

  onStdErr(chunk: string | Buffer): void {
    this.#print(chunk.toString());
  }

  async onEnd(result: FullResult): Promise<{ status?: FullResult['status'] } | undefined> {
    if (this.#options._mode === 'list') return undefined;
    // A test may still end after the run. It must not remove the new report.
    this.#wasReportRemoved = true;
    this.#progress?.stop();
    const failedTests = this.#otherTests.end();
    if (!this.#hasScenarios) {
      for (const error of this.#errors) this.#print(`${error.message}\n`);
      return undefined;
    }
    let exitStatus: ExitStatus;
    try {
      if (this.#shard === null) exitStatus = this.#conclude(result);
      else {
        const end = describeShardEnd(this.#shard, this.#listConfigurationFaults(), this.#errors);
        this.#print(end.text);
        exitStatus = end.exitStatus;
      }
    } catch (error) {
      exitStatus = 3;
      this.#print(`\nThe suite itself broke when it made the report: ${toOneLine((error as Error).message)}\n`);
    }
    if (exitStatus === 0 && failedTests > 0) exitStatus = 1;
    process.once('exit', () => {
      process.exitCode = exitStatus;
    });
    return { status: exitStatus === 0 ? 'passed' : 'failed' };
  }

  /** Removes the report of an earlier run, once. Called when the first scenario ends. */
  #removeEarlierReport(): void {
    if (this.#wasReportRemoved || this.#options._mode === 'merge') return;
    this.#wasReportRemoved = true;
    removeReport(this.#folder, this.#options.keep);
  }

  /** Writes the description of the run, so that its journals can be read even if it ends abnormally. */
  #writeRunStart(runStart: RunStart): void {
    this.#runStart = runStart;
    writeRunFile(this.#folder, this.#removeSecrets(runStart));
  }

  /** Removes secrets from a document. */
  #removeSecrets<T>(document: T): T {
    return this.#options.withhold?.(document).document ?? document;
  }

  #isScenario(test: TestCase): boolean {
    return test.parent.project()?.name === this.#scenarioProject;
  }

  #recordError(error: TestError, scenario: string | null): void {
    const configurationFault = findConfigurationFault(error);
    const selectionFault = findSelectionFault(error);
    if (configurationFault !== null) {
      if (!this.#configurationErrors.includes(configurationFault)) this.#configurationErrors.push(configurationFault);
    } else if (isRunTimeOut(error)) this.#hasReachedTimeLimit = true;
    else if (selectionFault !== null) this.#selectionFault = selectionFault;
    else this.#errors.push({ scenario, message: getErrorMessage(error) });
  }

  #conclude(result: FullResult): ExitStatus {
    const { concludeRun } = requireConclude();
    const { report, text } = concludeRun({
      ...this.#options,
      folder: this.#folder,
      run: this.#options._mode === 'merge' ? null : this.#description.run,
      attached: this.#attachedJournals,
      makeFacts: (faults) => this.#makeFacts(result, faults),
    });
    this.#print(text);
    if (this.#options.gitHub != null) this.#writeJobSummary(report, this.#options.gitHub.summaryFile);
    return report.gate.exitStatus;
  }

  #writeJobSummary(report: Report, summaryFile: string | null): void {
    const { writeAnnotations }: typeof import('./formats/github.ts') = require('./formats/github.ts');
    printAnnotations(writeAnnotations(report));
    if (summaryFile === null) return;
    try {
      const { writeSummary }: typeof import('./formats/markdown.ts') = require('./formats/markdown.ts');
      appendFileSync(summaryFile, writeSummary(report));
    } catch (error) {
      this.#print(`The summary of the job could not be written: ${toOneLine((error as Error).message)}\n`);
    }
  }

  #makeFacts(result: FullResult, faults: readonly SuiteError[]): RunFacts {
    const configuration = this.#listConfigurationFaults();
    // If the configuration is wrong, all other faults are only consequences.
    const errors = configuration.length > 0 ? [] : [...this.#errors, ...faults];
    const interrupted = this.#describeInterruption(result);
    const scenariosWithoutResult = this.#scenarios.filter((test) => test.results.length === 0).length;
    const isExplained = errors.length > 0 || configuration.length > 0 || interrupted !== undefined;
    if (scenariosWithoutResult > 0 && !isExplained)
      errors.push({
        scenario: null,
        message: `${scenariosWithoutResult} of ${this.#scenarios.length} scenarios never ran.`,
      });
    return {
      ...this.#description,
      startedAt: result.startTime.toISOString(),
      durationMs: result.duration,
      configuration,
      ...(this.#options._mode === 'merge'
        ? { incomplete: findShardFaults(this.#manifests), leaks: this.#manifests.flatMap(({ leaks = [] }) => leaks) }
        : {}),
      errors,
      interrupted,
    };
  }

  /** Returns the faults that were found before the run. If there are none, returns those that the set-up reported. */
  #listConfigurationFaults(): readonly string[] {
    const earlyFaults = this.#description.configuration ?? [];
    if (earlyFaults.length > 0) return earlyFaults;
    // If a test file cannot be loaded, the selection of tests is also empty.
    if (this.#selectionFault === null || this.#errors.length > 0) return this.#configurationErrors;
    return [...this.#configurationErrors, this.#selectionFault];
  }

  /** Returns why the run ended early, as the end of a sentence; undefined if it did not. */
  #describeInterruption(result: FullResult): string | undefined {
    if (this.#hasReachedTimeLimit || result.status === 'timedout') return 'its time was up.';
    const hasInterruptedScenario = this.#scenarios.some((test) =>
      test.results.some((testResult) => testResult.status === 'interrupted'),
    );
    return result.status === 'interrupted' || hasInterruptedScenario ? 'it was interrupted.' : undefined;
  }

  #print(text: string): void {
    this.#progress?.clear();
    print(text);
  }
}

/** Counts the tests of other projects, such as the tests of the suite, and prints those that fail. */
class OtherProjectsListener {
  readonly #print: (text: string) => void;
  readonly #failedTitles: string[] = [];
  #passedCount = 0;
  #skippedCount = 0;

  constructor(print: (text: string) => void) {
    this.#print = (text) => print(stripVTControlCharacters(text));
  }

  onTestEnd(test: TestCase, { status, errors }: TestResult): void {
    if (status === 'skipped') this.#skippedCount += 1;
    else if (status === test.expectedStatus) this.#passedCount += 1;
    else {
      const title = test.titlePath().filter(Boolean).join(' › ');
      this.#failedTitles.push(title);
      const texts = errors.map((error) => [error.message, error.snippet, error.stack].filter(Boolean).join('\n'));
      this.#print(`\n${status}: ${title}\n${texts.join('\n')}\n`);
    }
  }

  /** Prints the number of tests, if there were any. Returns how many failed. */
  end(): number {
    const failedCount = this.#failedTitles.length;
    if (this.#passedCount + failedCount + this.#skippedCount === 0) return 0;
    if (failedCount > 0)
      this.#print(`\nFailed:\n${this.#failedTitles.map((title) => `  ${toOneLine(title)}\n`).join('')}`);
    const skippedNote = this.#skippedCount > 0 ? `, ${this.#skippedCount} skipped` : '';
    this.#print(`\n${this.#passedCount} passed, ${failedCount} failed${skippedNote}\n`);
    return failedCount;
  }
}
