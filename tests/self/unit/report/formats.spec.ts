/** Tests the output formats for programs: valid by their schemas, within limits, and harmless for any text of a bank. */
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { reportCommand } from '../../../../reports/cli/report.ts';
import { makeBehaviourProfile } from '../../../../reports/baseline/behaviour-profile.ts';
import { writeCreatedCsv } from '../../../../reports/write-report.ts';
import { renderHtml } from '../../../../reports/formats/html/index.ts';
import { toJunit } from '../../../../reports/formats/junit.ts';
import { toSarif } from '../../../../reports/formats/sarif.ts';
import type { Log } from 'sarif';
import { writeAnnotations } from '../../../../reports/formats/github.ts';
import { toCodeQuality, writeBadge } from '../../../../reports/formats/gitlab.ts';
import { toHar } from '../../../../reports/formats/har.ts';
import { writeSummary } from '../../../../reports/formats/markdown.ts';
import type { Report } from '../../../../reports/model/report.ts';
import { toJson } from '../../../../reports/text/sanitize.ts';
import { faultyReport as nasty, makeRecord, soundReport as good } from '../../support/reports/sample-report.ts';
import {
  judgeFolder,
  FINDING_LINE,
  renderJournal,
  keepJournal,
  REPORTER_FILE,
  makeTinySuite,
} from '../../support/reports/fake-suite.ts';
import { renderings } from '../../support/reports/renderings.ts';
import { expect, test } from '../../support/reports/samples.ts';
import { runInProcess, readReport } from '../../support/command.ts';
import { makeTempDir, makeTempFile } from '../../support/temp-dir.ts';

const listReports = (faulty: Report): readonly Report[] => [faulty, good, nasty];
/** Matches a character that controls a terminal, a reader or a parser. */
const ACTING_CHARACTER = /(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}]/u;

/** The elements and attributes of JUnit XML in the schema of Jenkins (junit-10), and the attributes that it requires. */
const junitGrammar: Readonly<Record<string, string>> = {
  testsuites: 'name time tests failures errors',
  testsuite: 'name tests failures errors group time skipped timestamp hostname id package file log url',
  testcase: 'name time classname group',
  failure: 'type message',
  error: 'type message',
  skipped: 'type message',
  'system-out': '',
  properties: '',
  property: 'name value',
};

const junitRequired: Readonly<Record<string, readonly string[]>> = {
  testsuite: ['name', 'tests', 'failures', 'errors'],
  testcase: ['name', 'time', 'classname'],
  property: ['name', 'value'],
};
/** The type SUREFIRE_TIME of the schema, without groups of thousands. */
const junitTime = /^\d+\.\d{3}$/;

test('The JUnit file has only elements and attributes of the schema of Jenkins, and all required attributes', async ({
  faulty,
}) => {
  for (const report of listReports(faulty)) {
    const text = toJunit(report);
    for (const [, name, attributes] of text.matchAll(/<([a-z-]+)((?: [a-z]+="[^"]*")*)\s*\/?>/g)) {
      const allowed = junitGrammar[name!]?.split(' ');
      expect(allowed, name).toBeDefined();
      const attributeValues = new Map(
        [...attributes!.matchAll(/ ([a-z]+)="([^"]*)"/g)].map(([, key, value]) => [key!, value!]),
      );
      for (const attribute of attributeValues.keys()) expect(allowed, `${name} ${attribute}`).toContain(attribute);
      expect([...attributeValues.keys()]).toEqual(expect.arrayContaining([...(junitRequired[name!] ?? [])]));
      if (attributeValues.has('time')) expect(attributeValues.get('time')).toMatch(junitTime);
    }
    // Only a suite may have properties.
    expect(text.match(/<properties>/g)).toHaveLength(1);
    expect(text).toMatch(/<testsuite [^>]*>\n<properties>/);
    const tags = [...text.matchAll(/<\/?([a-z][^\s>/]*)/gi)].map(([, name]) => name);
    expect(Object.keys(junitGrammar)).toEqual(expect.arrayContaining(tags));
  }
  const strict = { ...nasty, suite: { ...nasty.suite, strict: true } };
  expect([nasty, strict].map((report) => /<testsuites [^>]*failures="(\d+)"/.exec(toJunit(report))?.[1])).toEqual([
    '1',
    '2',
  ]);
  const times = [...toJunit(faulty).matchAll(/<testcase [^>]*time="([^"]*)"/g)].map(([, time]) => Number(time));
  expect(times.filter((time) => time > 0).length).toBeGreaterThan(times.length / 2);
});

const ajv = new Ajv({ strict: false, allErrors: true });
addFormats(ajv);
ajv.addMetaSchema(require('ajv/dist/refs/json-schema-draft-06.json') as object);
for (const schema of Object.values(require('har-schema') as Record<string, object>)) ajv.addSchema(schema);

test('The HAR file is valid by its published schema, holds every exchange of the report, and hides the token', async ({
  faulty,
}) => {
  for (const report of listReports(faulty)) {
    const archive = JSON.parse(toHar(report)) as { log: { entries: unknown[] } };
    expect(ajv.validate('har.json', archive), JSON.stringify(ajv.errors?.slice(0, 3))).toBe(true);
    expect(archive.log.entries).toHaveLength(Object.keys(report.exchanges).length);
  }
  expect(toHar(faulty)).toContain('Bearer $ACCESS_TOKEN');
});

/** What GitLab requires of a Code Quality report: docs.gitlab.com, Code Quality, "Code Quality report format". */
const codeQualitySchema = {
  type: 'array',
  items: {
    type: 'object',
    required: ['description', 'check_name', 'fingerprint', 'severity', 'location'],
    properties: {
      description: { type: 'string', minLength: 1 },
      check_name: { type: 'string', minLength: 1 },
      fingerprint: { type: 'string', pattern: '^[0-9a-f]{64}$' },
      severity: { enum: ['info', 'minor', 'major', 'critical', 'blocker'] },
      location: {
        type: 'object',
        required: ['path', 'lines'],
        properties: {
          path: { type: 'string', pattern: '^(?![./]*/)[^]+$' },
          lines: { type: 'object', required: ['begin'], properties: { begin: { type: 'integer', minimum: 1 } } },
        },
      },
    },
  },
};

/** The members of the endpoint badge of shields.io: shields.io/badges/endpoint-badge. */
const badgeSchema = {
  type: 'object',
  required: ['schemaVersion', 'label', 'message'],
  additionalProperties: false,
  properties: {
    schemaVersion: { const: 1 },
    label: { type: 'string' },
    message: { type: 'string', minLength: 1 },
    color: { enum: ['brightgreen', 'orange', 'red', 'yellow'] },
    isError: { type: 'boolean' },
  },
};

test('The Code Quality report fits the rules of GitLab, with stable fingerprints; the badge fits those of shields.io', ({
  faulty,
}) => {
  for (const report of listReports(faulty)) {
    const issues = JSON.parse(toCodeQuality(report)) as { fingerprint: string }[];
    expect(ajv.validate(codeQualitySchema, issues), ajv.errorsText()).toBe(true);
    expect(new Set(issues.map(({ fingerprint }) => fingerprint)).size).toBe(report.findings.length);
    const later = { ...report, startedAt: '2030-01-01T00:00:00.000Z', findings: report.findings.toReversed() };
    expect((JSON.parse(toCodeQuality(later)) as typeof issues).toReversed()).toEqual(issues);
    const badge = JSON.parse(writeBadge(report)) as object;
    expect(ajv.validate(badgeSchema, badge), ajv.errorsText()).toBe(true);
    expect(badge).toMatchObject({ isError: report.verdict !== 'conformant' });
  }
});

test('The JUnit files of two banks have no test case with the same name', ({ faulty }) => {
  const listKeys = (name: string): string[] => {
    const text = toJunit({ ...faulty, target: { ...faulty.target, name } });
    return [...text.matchAll(/<testcase (classname="[^"]*" name="[^"]*")/g)].map(([, key]) => key!);
  };
  const [first, second] = [listKeys('Acme Bank'), listKeys('Coral Bank')];
  expect(first.filter((key) => second.includes(key))).toEqual([]);
});

/** All outputs as lines of text. */
const textRenderings: typeof renderings = {
  ...renderings,
  json: toJson,
  profile: (report) => toJson(makeBehaviourProfile(report)),
  csv: (report) => writeCreatedCsv(report).replaceAll('\r\n', '\n'),
  har: toHar,
  gitlab: toCodeQuality,
  badge: writeBadge,
};

for (const [name, render] of Object.entries(textRenderings))
  test(`The format ${name} escapes control characters and CI commands in texts of a bank`, async ({ faulty }) => {
    for (const text of listReports(faulty).map(render)) {
      expect(text).not.toMatch(ACTING_CHARACTER);
      if (name === 'terminal' || name === 'summary') expect(text).not.toMatch(/^\s*::|^##\[|^##vso/m);
    }
  });

test('A text of a bank becomes no link in SARIF and no attachment in JUnit', ({ faulty }) => {
  const received = '[Repair it](https://elsewhere.example) [[ATTACHMENT|/etc/passwd]]';
  const values = [{ value: received, count: 1, answers: 1, exchange: 'x' }];
  const findings = faulty.findings.map((finding) => ({ ...finding, statement: received, values }));
  const { runs } = JSON.parse(toSarif({ ...faulty, findings })) as Log;
  expect(runs[0]?.results?.[0]?.message.text).toContain('[Repair it] (https://elsewhere.example)');
  expect(JSON.stringify([runs[0]?.tool.driver.rules, runs[0]?.results?.map(({ message }) => message)])).not.toContain(
    '](',
  );
  expect(toJunit({ ...faulty, findings })).not.toContain('[[ATTACHMENT|');
});

test('conformance.json reads back as the same report, also with unusual characters', async ({ faulty }) => {
  for (const report of listReports(faulty))
    expect(JSON.parse(toJson(report))).toEqual(JSON.parse(JSON.stringify(report)));
  const odd = 'a\u202e\u{e0001}\u2028\u0007"\\';
  expect(JSON.parse(toJson({ odd }))).toEqual({ odd });
});

const withFindings = (report: Report, length: number): Report => ({
  ...report,
  findings: Array.from({ length }, (_, at) => ({
    ...report.findings[0]!,
    id: `${at}`,
    clause: `c${at}`,
    received: '<'.repeat(5_000),
  })),
});

test('The job summary is below 1 MiB, and texts of a bank add no HTML tags', async ({ faulty }) => {
  for (const report of listReports(faulty)) {
    const text = writeSummary(report);
    expect(Buffer.byteLength(text)).toBeLessThan(1_048_576);
    const tags = [...text.matchAll(/<\/?([a-z]+)[^>]*>/gi)].map(([, name]) => name!.toLowerCase());
    expect(new Set([...tags, 'code', 'details', 'summary'])).toEqual(new Set(['code', 'details', 'summary']));
  }
  expect(writeSummary(faulty)).toContain('Gate failed');
  expect(Buffer.byteLength(writeSummary(withFindings(faulty, 5_000)))).toBeLessThan(1_048_576);
});

test('Annotations keep the limits of GitHub, and no text of a bank becomes a command or a property', async ({
  faulty,
}) => {
  const command = /^::(error|warning) (?:file=a%3Ab%2Cc\.yml,line=1,)?title=[^:,\n]*::[^\n]*$/;
  for (const report of listReports(faulty)) {
    const lines = writeAnnotations({ ...report, suite: { ...report.suite, repositoryFile: 'a:b,c.yml' } })
      .split('\n')
      .filter(Boolean);
    for (const line of lines) {
      expect(line).toMatch(command);
      expect(line.length).toBeLessThan(4_096);
    }
    for (const kind of ['error', 'warning'])
      expect(lines.filter((line) => line.startsWith(`::${kind}`)).length).toBeLessThanOrEqual(10);
  }
  const reportOfManyFindings = withFindings(faulty, 50);
  expect(writeAnnotations(reportOfManyFindings).split('\n').filter(Boolean)).toHaveLength(10);
  expect(writeAnnotations(reportOfManyFindings)).toContain('and 41 more causes');
});

test('The reporter writes the requested formats, and on GitHub also annotations and the job summary', async () => {
  const options = { reportDir: 'out', render: ['sarif', 'har'], gitHub: { summaryFile: 'step-summary.md' } };
  const scenarios = { s: keepJournal('s', renderJournal('s', FINDING_LINE)) };
  const folder = makeTinySuite({
    scenarios,
    reporter: `[[${JSON.stringify(REPORTER_FILE)}, ${JSON.stringify(options)}]]`,
  });
  const ended = await judgeFolder(folder);
  expect(readdirSync(path.join(folder, 'out'))).toEqual(
    expect.arrayContaining(['conformance.sarif', 'conformance.har']),
  );
  expect(ended.out.match(/^::.*/gm)).toEqual([expect.stringMatching(/^::error title=/)]);
  expect(readFileSync(path.join(folder, 'step-summary.md'), 'utf8')).toContain('🔴');
});

test('The report command makes the same page and formats again from conformance.json alone', async ({ faulty }) => {
  const folder = makeTempDir();
  const words = [makeTempFile('sample.json', JSON.stringify(faulty)), '--out', folder, '--render', 'sarif,summary'];
  expect(await runInProcess(reportCommand, ...words)).toEqual({
    status: 0,
    out: expect.stringContaining('Verdict: non-conformant'),
  });
  expect(readFileSync(path.join(folder, 'conformance.html'), 'utf8')).toBe(renderHtml(faulty));
  expect(readReport(folder)).toEqual(faulty);
  expect(readdirSync(folder)).toEqual(expect.arrayContaining(['conformance.sarif', 'junit.xml', 'summary.md']));
});

const reportPage = renderHtml(nasty);

test('On the page every clause has an id, every link has a target, and headings are in order', () => {
  for (const clause of nasty.clauses) expect(reportPage).toContain(`id="clause-${clause.id}"`);
  const ids = [...reportPage.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
  expect(new Set(ids).size).toBe(ids.length);
  const links = [...reportPage.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);
  expect(links.filter((id) => !ids.includes(id))).toEqual([]);
  expect(links.length).toBeGreaterThan(20);
  const levels = [...reportPage.matchAll(/<h([1-6])/g)].map(([, level]) => Number(level));
  expect(levels.filter((level) => level === 1)).toHaveLength(1);
  levels.forEach((level, at) => expect(level - (levels[at - 1] ?? 0)).toBeLessThanOrEqual(1));
});

test('The page of 1,500 findings and 1,000 exchanges, one of them nested 200,000 times, is smaller than 3 MB', () => {
  const nested = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
  const long = `{"data":[${Array.from({ length: 2_000 }, (_, at) => `{"atm_no":"${at}","atm_name":"${'x'.repeat(200)}"}`).join()}]}`;
  const exchanges = Object.fromEntries(
    Array.from({ length: 1_000 }, (_, at) => [
      `${at}`,
      makeRecord(`${at}`, 'findAtms', { body: at === 1 ? nested : at % 20 === 0 ? long : '{}' }),
    ]),
  );
  const findings = Array.from({ length: 1_500 }, (_, at) => ({
    ...nasty.findings[0]!,
    id: `${at}`,
    clause: `c${at % 300}`,
    pointer: `/${at}`,
    received: 'y'.repeat(200),
    exchange: `${at % 1_000}`,
  }));
  expect(renderHtml({ ...nasty, findings, exchanges }).length).toBeLessThan(3_000_000);
});
