/** The first screen: the verdict in words, what it rests on, and how to find the rest. */
import type { Level } from '../../../../openapi/clauses/clause.ts';
import type { Report } from '../../../model/report.ts';
import {
  areaTitle,
  counted,
  duration,
  grouped,
  keptConcurrency,
  targetName,
  oftenInWords,
  setName,
  recordingInWords,
  verdictWord,
  mustsNotTested,
} from '../../../text/phrases.ts';
import { replayCommand } from '../../../text/replay.ts';
import { html, type Markup } from '../markup.ts';
import { causesOf } from '../../../fold/root-causes.ts';
import { matrix } from './matrix.ts';
import { clauseAnchor, findingAnchors, verdictMark, verdictOrder } from '../components.ts';

/** Header, counts by level, what failed beside what was not exercised, contents. */
export function summarySection(report: Report): Markup {
  return html`<header>
<p class="title">Bank Open API · conformance report</p>
<h1 class="${report.verdict}">${report.headline.charAt(0).toUpperCase()}${report.headline.slice(1)}</h1>
<p class="who">${who(report)}</p>
<ul class="reasons">${report.reasons.map((reason) => html`<li>${reason}</li>`)}</ul>
${security(report)}<p class="gate"><strong class="${report.gate.pass ? 'pass' : 'fail'}">${report.gate.pass ? 'Gate passed' : 'Gate failed'}</strong>: ${report.gate.reasons.join('; ')}.</p>
${next(report)}</header>
<div class="first"><div><div class="twins">${failed(report)}${missed(report)}</div>
<ul class="levels" aria-label="Counts by level">${(['must', 'should', 'open'] as const).map((level) => levelRow(report, level))}</ul></div>
${matrix(report)}</div>
${facts(report)}
${contents(report)}`;
}

/** The security warnings by name, as loud as the verdict. */
function security(report: Report): Markup | '' {
  const anchors = findingAnchors(report);
  const causes = causesOf(report.findings.filter((one) => one.class === 'security'));
  if (causes.length === 0) return '';
  const links = causes.map(
    ({ worst }) => html`<li>Not kept: <a href="#${anchors.get(worst.id)}">${worst.statement}</a></li>`,
  );
  return html`<p class="warning"><strong>${counted(causes.length, 'security warning')}</strong></p><ul class="reasons">${links}</ul>`;
}

/** What to do next, the most urgent first. */
function next(report: Report): Markup {
  const [worst] = report.findings;
  const replay = worst === undefined ? null : replayCommand(report, worst);
  const steps = [
    worst !== undefined &&
      html`Read <a href="#findings">the findings</a>.${replay === null ? '' : html` To send the requests of the first one again: <code>${replay}</code>`}`,
    report.verdict === 'inconclusive' &&
      html`See <a href="#missed">what was not tested</a>, change the settings that the reasons name, and run again.`,
    report.errors.length > 0 &&
      html`See <a href="#faults">the errors of the suite</a>: they say nothing about the bank.`,
    report.verdict === 'conformant' &&
      html`Keep <code>conformance.json</code>. With <code>BASELINE=conformance.json</code> the next run shows what has changed.`,
  ].filter((step) => step !== false);
  return html`<div class="next"><p><strong>Next</strong></p><ol>${steps.map((step) => html`<li>${step}</li>`)}</ol></div>`;
}

function who({ target }: Report): Markup {
  const name = target.name === null && target.embedded ? 'The embedded reference bank' : targetName(target);
  return html`${name}${target.build === null ? '' : html`, build ${target.build}`}`;
}

type Fact = readonly [name: string, value: string | Markup];

/** What is said of a value where there is one. */
const given = <Value>(value: Value | undefined, fact: (value: Value) => Fact): readonly Fact[] =>
  value === undefined ? [] : [fact(value)];

/** The beginning of a digest; the whole of it shows where a reader points. */
const digest = (whole: string): Markup => html`<code title="${whole}">${whole.slice(0, 12)}</code>`;

function facts(report: Report): Markup {
  const { suite, target } = report;
  const ofRun = (): readonly Fact[] => [
    ['Duration', `${duration(report.durationMs)}, ${counted(report.requests, 'request')}`],
    ...given(report.concurrency, ({ most, ceiling }) => [
      'In flight',
      keptConcurrency(report) ?? `at most ${most} requests at once (${ceiling} allowed)`,
    ]),
    ['Seed', `${suite.seed} (${counted(suite.runs, 'case')} per property)`],
  ];
  const rows: readonly Fact[] = [
    ['Base URL', target.baseUrl !== '' ? target.baseUrl : target.embedded ? 'started for this run only' : 'unknown'],
    ['Areas', target.areas.map((area) => areaTitle[area]).join(', ')],
    [
      'Started',
      html`<time datetime="${report.startedAt}">${report.startedAt.replace('T', ' ').replace(/\.\d+Z$/, ' UTC')}</time>`,
    ],
    ...(report.recording === undefined ? ofRun() : [['Recorded', recordingInWords(report.recording)] as const]),
    ['Suite', html`${suite.version} ${digest(suite.digest)}`],
    ...given(suite.requirements, (set) => ['Requirements', html`${setName(set)} ${digest(set.digest)}`]),
    ['Contract', digest(suite.contractDigest)],
    ...given(suite.overlay, ({ title, contractDigest }) => [
      'Overlay',
      html`<a class="warning" href="#against"><strong>${title}</strong></a> ${digest(contractDigest)}`,
    ]),
    ...given(suite.weakSecrets, (names) => ['Masked only as whole values', names.join(', ')]),
    ['Strict', suite.strict ? 'yes: warnings fail the gate' : 'no: warnings do not fail the gate'],
  ];
  return html`<dl class="facts">${rows.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}

const levelWords: Readonly<Record<Level, string>> = {
  must: 'The document states it',
  should: 'Every reasonable reader expects it',
  open: 'The document leaves it open',
};

function levelRow(report: Report, level: Level): Markup {
  const counts = report.counts[level];
  const shown = verdictOrder.filter((verdict) => counts[verdict] > 0);
  const words = shown.map(
    (verdict, at) =>
      html`${at > 0 ? ', ' : ''}<span class="${verdict}">${grouped(counts[verdict])} ${verdictWord(verdict, counts[verdict])}</span>`,
  );
  const bar = shown.map((verdict) => html`<span class="${verdict}" style="flex-grow:${counts[verdict]}"></span>`);
  return html`<li><p><strong>${levelWords[level]}</strong> <span class="soft">(${level})</span>: ${words.length > 0 ? words : 'nothing'}</p><div class="bar" aria-hidden="true">${bar}</div></li>`;
}

const MAX_SHOWN = 8;

function failed(report: Report): Markup {
  const { findings } = report;
  const anchors = findingAnchors(report);
  const fails = findings.filter((finding) => finding.verdict === 'fail').length;
  const title = fails > 0 ? 'What failed' : findings.length > 0 ? 'What got a warning' : 'What failed';
  const causes = causesOf(findings);
  const rows = causes
    .slice(0, MAX_SHOWN)
    .map(
      ({ worst, findings: same }) =>
        html`<li><a href="#${anchors.get(worst.id)}">${worst.statement}</a> <span class="small">${verdictMark(worst.verdict)} ${oftenInWords(worst)}${same.length > 1 ? `, at ${same.length} places` : ''}</span></li>`,
    );
  const more = causes.length - MAX_SHOWN;
  return html`<section class="on-screen" aria-labelledby="failed"><h2 id="failed">${title}</h2>
${rows.length === 0 ? html`<p>Nothing.</p>` : html`<ol>${rows}</ol>`}
${more > 0 ? html`<p class="small"><a href="#findings">and ${more} more</a></p>` : ''}</section>`;
}

/** Beside what failed: what was not tested. */
function missed(report: Report): Markup {
  const { operations } = report.notExercised;
  const others = report.notExercised.clauses.filter(({ level }) => level !== 'must').length;
  const rows = [
    ...operations.map(
      ({ id, why }) => html`<li><a href="#operations">${id}</a> <span class="small soft">${why}</span></li>`,
    ),
    ...mustsNotTested(report).map(sameReason),
  ];
  const more = rows.length - MAX_SHOWN;
  const rest =
    others > 0
      ? html`<p class="small soft">${counted(others, 'should or open clause')} could not be tested${rows.length > 0 ? ' either' : ''}: see <a href="#document">the document, clause by clause</a>.</p>`
      : '';
  return html`<section aria-labelledby="missed"><h2 id="missed"${rows.length > 0 ? html` class="inconclusive"` : ''}>What was not tested</h2>
${rows.length === 0 ? html`<p>No must clause.</p>` : html`<ul>${rows.slice(0, MAX_SHOWN)}</ul>`}
${more > 0 ? html`<p class="small"><a href="#document">and ${more} more</a></p>` : ''}${rest}</section>`;
}

/** The clauses that one reason kept from being put to the test. */
function sameReason([why, ids]: readonly [why: string, ids: readonly string[]]): Markup {
  const links = ids.slice(0, 3).map((id, at) => html`${at > 0 ? ', ' : ''}<a href="#${clauseAnchor(id)}">${id}</a>`);
  const more = ids.length > 3 ? ` and ${ids.length - 3} more` : '';
  return html`<li>${counted(ids.length, 'clause')}: ${why} <span class="small">${links}${more}</span></li>`;
}

function contents(report: Report): Markup {
  const links: readonly (readonly [id: string, name: string])[] = [
    ...(report.errors.length > 0 ? [['faults', `Errors of the suite (${report.errors.length})`] as const] : []),
    ['findings', `Findings (${report.findings.length})`],
    ['document', 'The document, clause by clause'],
    ['open-points', 'Open points'],
    ['pictures', 'Pictures'],
    ['operations', 'Operations'],
    ['createdResources', 'What the run created'],
    ['evidence', 'Evidence'],
    ['terms', 'Terms'],
  ];
  return html`<nav class="contents" aria-label="Contents"><ul>${links.map(([id, name]) => html`<li><a href="#${id}">${name}</a></li>`)}</ul>
<p class="small"><label><input type="checkbox" id="print-all"> Print everything</label> <span class="soft">(otherwise the verdict, the findings and the table of operations)</span></p></nav>`;
}
