/** Shows the first screen: the verdict, its reasons, what changed, what failed, and what was tested. */
import type { ComparisonResult, Changes, JudgedEntry } from '../../../model/contents.ts';
import type { Report } from '../../../model/report.ts';
import {
  areaTitles,
  describeChanges,
  describeRequests,
  describeTestedClauses,
  counted,
  formatDuration,
  labelFinding,
  grouped,
  describeConcurrency,
  describeFewerCases,
  formatTargetName,
  formatTime,
  describeFrequency,
  describeVerdict,
  listUntested,
} from '../../../text/phrases.ts';
import { html, type Markup } from '../markup.ts';
import { groupCauses } from '../../../fold/root-causes.ts';
import {
  linkClause,
  renderFoldedPart,
  renderTable,
  anchorFindings,
  joinParts,
  makeSectionTag,
  markVerdict,
  verdictOrder,
} from '../components.ts';

export function renderSummary(report: Report): Markup {
  const { target, headline, verdict, reasons, gate } = report;
  const name = target.name === null && target.embedded ? 'The embedded reference bank' : formatTargetName(target);
  return html`<header class="first"><div>
<p class="small soft">Bank Open API · conformance report</p>
<h1 class="${verdict}">${headline.charAt(0).toUpperCase()}${headline.slice(1)}</h1>
<p class="who">${name}${target.build === null ? '' : html`, build ${target.build}`}</p>
<ul class="reasons">${[...reasons, describeTestedClauses(report)].map((reason) => html`<li>${reason}</li>`)}</ul>
<p><strong class="${gate.pass ? 'pass' : 'fail'}">${gate.pass ? 'Gate passed' : 'Gate failed'}</strong>: ${gate.reasons.join('; ')}.</p>
${renderComparisons(report)}${renderFailedClauses(report)}</div>
<div><ul class="levels" aria-label="Counts by level">${LEVEL_NAMES.map(([level, words]) => renderLevel(report, level, words))}</ul>
${renderUntestedClauses(report)}${listRunFacts(report)}</div></header>`;
}

type Fact = readonly [name: string, value: string | Markup];

const renderRunFact = <Value>(value: Value | undefined, fact: (value: Value) => Fact): readonly Fact[] =>
  value === undefined ? [] : [fact(value)];

/** Shows the beginning of a digest. The tooltip shows all characters. */
const renderDigest = (whole: string): Markup => html`<code title="${whole}">${whole.slice(0, 12)}</code>`;

function listRunFacts(report: Report): Markup {
  const { suite, target, startedAt } = report;
  const fewer = describeFewerCases(report);
  const ofRun = (): readonly Fact[] => [
    ['Duration', `${formatDuration(report.durationMs)}, ${counted(report.requests, 'request')}`],
    ...renderRunFact(report.concurrency, ({ most, ceiling }) => [
      'In flight',
      describeConcurrency(report) ?? `at most ${most} requests at once (${ceiling} allowed)`,
    ]),
    ['Seed', `${suite.seed} (${counted(suite.runs, 'case')} per property)`],
    ...(fewer.length === 0 ? [] : [['Random cases', fewer.join('; ')] as const]),
  ];
  const failOn = suite.failOn?.length ? `, except ${suite.failOn.join(', ')}` : '';
  const facts: readonly Fact[] = [
    ['Base URL', target.baseUrl !== '' ? target.baseUrl : target.embedded ? 'started for this run only' : 'unknown'],
    ['Areas', target.areas.map((area) => areaTitles[area]).join(', ')],
    ['Started', html`<time datetime="${startedAt}">${formatTime(startedAt)}</time>`],
    ...(report.recording === undefined ? ofRun() : [['Recorded', describeRequests(report)] as const]),
    ['Suite', html`${suite.version} ${renderDigest(suite.digest)}`],
    ['Contract', renderDigest(suite.contractDigest)],
    ['Clauses', renderDigest(suite.catalogueDigest)],
    ...renderRunFact(suite.overlay, ({ title, contractDigest }) => [
      'Overlay',
      html`<a class="warning" href="#against"><strong>${title}</strong></a> ${renderDigest(contractDigest)}`,
    ]),
    ...renderRunFact(suite.weakSecrets, (names) => ['Masked only as whole values', names.join(', ')]),
    ['Strict', suite.strict ? 'yes: warnings fail the gate' : `no: warnings do not fail the gate${failOn}`],
  ];
  return html`<dl class="facts">${facts.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}

const LEVEL_NAMES = [
  ['must', 'The document states it'],
  ['should', 'Every reasonable reader expects it'],
  ['open', 'The document leaves it open'],
] as const;

function renderLevel(report: Report, level: (typeof LEVEL_NAMES)[number][0], words: string): Markup {
  const counts = report.counts[level];
  const shown = verdictOrder.filter((verdict) => counts[verdict] > 0);
  const parts = shown.map(
    (verdict) =>
      html`<span class="${verdict}">${grouped(counts[verdict])} ${describeVerdict(verdict, counts[verdict])}</span>`,
  );
  const bar = shown.map((verdict) => html`<span class="${verdict}" style="flex-grow:${counts[verdict]}"></span>`);
  return html`<li><p><strong>${words}</strong> <span class="soft">(${level})</span>: ${parts.length > 0 ? joinParts(parts) : 'nothing'}</p><div class="bar-of" aria-hidden="true">${bar}</div></li>`;
}

const MAX_LIST_ITEMS = 8;

const linkToRest = (all: number, to: string): Markup | '' =>
  all > MAX_LIST_ITEMS ? html`<p class="small"><a href="#${to}">and ${all - MAX_LIST_ITEMS} more</a></p>` : '';

function renderFailedClauses(report: Report): Markup {
  const { findings } = report;
  const anchors = anchorFindings(report);
  const isWarned = findings.length > 0 && findings.every((finding) => finding.verdict === 'warning');
  const causes = groupCauses(findings);
  const rows = causes
    .slice(0, MAX_LIST_ITEMS)
    .map(
      ({ worst, findings: same }) =>
        html`<li><a href="#${anchors.get(worst.id)}">${worst.statement}</a> <span class="small">${markVerdict(worst.verdict, labelFinding(worst))} ${describeFrequency(worst)}${same.length > 1 ? `, at ${same.length} places` : ''}</span></li>`,
    );
  return makeSectionTag(
    'failed',
    isWarned ? 'What got a warning' : 'What failed',
    html` class="on-screen"`,
  )`${rows.length === 0 ? html`<p>Nothing.</p>` : html`<ol>${rows}</ol>`}
${linkToRest(causes.length, 'findings')}`;
}

function renderUntestedClauses(report: Report): Markup {
  const { operations, clauses } = report.notExercised;
  const others = clauses.filter(({ level }) => level !== 'must').length;
  const rows = [
    ...operations.map(
      ({ id, why }) => html`<li><a href="#operations">${id}</a> <span class="small soft">${why}</span></li>`,
    ),
    ...listUntested(report).map(([why, ids]) => {
      const links = ids.slice(0, 3).map(linkClause);
      return html`<li>${counted(ids.length, 'clause')}: ${why} <span class="small">${joinParts(links)}${ids.length > 3 ? ` and ${ids.length - 3} more` : ''}</span></li>`;
    }),
  ];
  const isAny = rows.length > 0;
  return html`<section aria-labelledby="missed"><h2 id="missed"${isAny ? html` class="inconclusive"` : ''}>What was not tested</h2>
${isAny ? html`<ul>${rows.slice(0, MAX_LIST_ITEMS)}</ul>` : html`<p>No must clause.</p>`}
${linkToRest(rows.length, 'clauses')}${others === 0 ? '' : html`<p class="small soft">${counted(others, 'should or open clause')} could not be tested${isAny ? ' either' : ''}: see <a href="#clauses">the clauses</a>.</p>`}</section>`;
}

const MAX_UNFOLDED_ENTRIES = 5;

/** Renders the comparisons; null if the run was compared only with the document. */
function renderComparisons({ suite, against }: Report): Markup | null {
  if (suite.overlay === undefined && against === undefined) return null;
  const { pins, known, changes } = against ?? {};
  return html`<div id="against">${suite.overlay && renderOverlay(suite.overlay)}${known && renderKnown(known)}${changes && renderChanges(changes)}${pins && renderPins(pins)}</div>`;
}

const renderOverlay = ({ title, actions, digest }: NonNullable<Report['suite']['overlay']>): Markup =>
  html`<p class="warning"><strong>The contract was changed before this run by the overlay “${title}” (${counted(actions, 'action')}).</strong> The bank is judged by the changed contract, not by the document alone. Digest of the overlay: <code>${digest}</code></p>`;

const renderPins = ({ points, target, startedAt }: NonNullable<ComparisonResult['pins']>): Markup =>
  html`<p><strong>${counted(points.length, 'open point')} pinned</strong> to the answers of ${target ?? 'a run'} of ${formatTime(startedAt)}: ${joinParts(points.map(linkClause))}. Another answer is a finding.</p>`;

const verdictByState = { tolerated: 'pass', expired: 'fail', stale: 'fail', 'not tested': 'inconclusive' } as const;

function renderKnown(entries: readonly JudgedEntry[]): Markup {
  const rows = entries.map(({ clause, operation, pointer, value, reason, owner, expires, state }) => ({
    cells: [
      html`<strong class="${verdictByState[state]}">${state}</strong>`,
      html`${clause}<br><code>${operation}</code> ${pointer}${value === undefined ? '' : html` with the value <code>${value}</code>`}`,
      reason,
      owner,
      expires,
    ],
  }));
  const counts = Object.entries(verdictByState).flatMap(([state, verdict]) => {
    const count = entries.filter((one) => one.state === state).length;
    return count === 0 ? [] : [html`<strong class="${verdict}">${count} ${state}</strong>`];
  });
  const list = renderTable(['State', 'Finding', 'Reason', 'Owner', 'Until'], rows);
  return renderFoldedPart(
    html`<strong>Known findings:</strong> ${counts.length === 0 ? 'none' : joinParts(counts)}`,
    '',
    list,
  );
}

function renderChanges(changes: Changes): Markup {
  const { before, factor } = changes;
  const said = describeChanges(changes);
  const entries = html`<ul>${said.map(({ clause, text }) => html`<li>${clause === null ? '' : html`${linkClause(clause)}: `}${text}</li>`)}</ul>`;
  const list =
    said.length > MAX_UNFOLDED_ENTRIES ? renderFoldedPart('All changes', '', entries) : said.length > 0 ? entries : '';
  return html`<p><strong>Changed since ${formatTime(before.startedAt)}: ${said.length === 0 ? 'nothing' : counted(said.length, 'thing')}</strong> <span class="small soft">(${before.name ?? 'a bank without a name'}${before.build === null ? '' : `, build ${before.build}`}; a latency counts if it rose by more than a factor of ${factor})</span></p>${list}`;
}
