/** Shows the run: its operations with answers and latencies, what it created, its settings, and faults of the suite. */
import { createdThings } from '../../../../openapi/api.ts';
import { areas } from '../../../../openapi/model/exchange.ts';
import type { ClauseReport, OperationReport, Report } from '../../../model/report.ts';
import {
  areaTitles,
  counted,
  describeConcurrency,
  describeFewerCases,
  describeRequests,
  formatDuration,
  formatOperationName,
  formatTime,
  grouped,
  joinWithAnd,
} from '../../../text/phrases.ts';
import { anchorFindings, joinParts, makeAnchor, makeSectionTag, markVerdict, renderTable } from '../components.ts';
import { html, type Markup } from '../markup.ts';

export function renderOperations(report: Report): Markup {
  const rows = areas.flatMap((area) => {
    const operationsOfArea = report.operations.filter((operation) => operation.area === area);
    return operationsOfArea.length === 0
      ? []
      : [{ group: areaTitles[area] }, ...operationsOfArea.map((operation) => renderOperationRow(operation, report))];
  });
  const makeNumberColumn = (name: string) => ({ number: name });
  const columns = [
    'Operation',
    makeNumberColumn('Requests'),
    makeNumberColumn('Successes'),
    'Statuses',
    makeNumberColumn('p50'),
    makeNumberColumn('p95'),
    makeNumberColumn('Slowest'),
    'Clauses',
  ];
  const caption = html`<caption>A success is a documented request that the bank answered as the document says.</caption>`;
  return makeSectionTag('operations', 'Operations')`${renderTable(columns, rows, caption)}`;
}

function renderOperationRow(operation: OperationReport, report: Report) {
  const { id, requests, successes, statuses, unanswered, latencyMs } = operation;
  const answerCounts = [
    ...Object.entries(statuses).map(([status, count]) => html`<code>${status}</code> × ${grouped(count)}`),
    ...(unanswered > 0 ? [html`no answer × ${grouped(unanswered)}`] : []),
  ];
  const name = formatOperationName(operation);
  return {
    id: makeAnchor('operation', id),
    cells: [
      html`${id}<br><code class="soft">${name}</code>`,
      grouped(requests),
      successes === 0 ? html`<strong class="inconclusive">none</strong>` : grouped(successes),
      renderLines(answerCounts),
      ...[latencyMs?.p50, latencyMs?.p95, latencyMs?.max].map((ms) =>
        ms === undefined ? '' : renderLines([html`${ms} ms`]),
      ),
      renderClauses(name, report),
    ],
  };
}

const renderLines = (parts: readonly Markup[]): Markup =>
  joinParts(parts.map((part) => html`<span class="pair">${part}</span>`));

/** Counts the clauses at an operation that are broken, a warning or kept. The counts link to the first finding. */
function renderClauses(operation: string, report: Report): Markup {
  const brokenParts = (['fail', 'warning'] as const).flatMap((verdict) => {
    const findingsHere = report.findings.filter(
      (finding) => finding.operation === operation && finding.verdict === verdict,
    );
    const count = new Set(findingsHere.map(({ clause }) => clause)).size;
    const anchor = findingsHere[0] && anchorFindings(report).get(findingsHere[0].id);
    return count === 0 ? [] : html`<a href="#${anchor}">${count} ${markVerdict(verdict)}</a>`;
  });
  const isKeptHere = ({ places }: ClauseReport): boolean =>
    places.some((place) => place.operation === operation && place.exercised > 0 && place.broken === 0);
  const keptClauses = report.clauses.filter((clause) => clause.level !== 'open' && isKeptHere(clause));
  return renderLines([
    ...brokenParts,
    ...(keptClauses.length === 0 ? [] : [html`${keptClauses.length} ${markVerdict('pass')}`]),
  ]);
}

export function renderCreatedResources({ createdResources }: Report): Markup {
  const { counts, caps, amounts, items, refused = [] } = createdResources;
  const rows = createdThings.map(({ what, title, kind }) => {
    const amountTexts = amounts
      .filter((sum) => sum.what === what)
      .map((sum) => `${grouped(sum.total.toFixed(2))} ${sum.currency}`.trim());
    const perhapsCreated = items.filter((item) => item.what === what && item.perhaps).length;
    const capText = caps === null || kind === null ? 'no cap' : grouped(caps[kind]);
    const refusedCount = refused.filter((item) => item.what === what).length;
    return {
      cells: [
        title,
        grouped(counts[what]),
        grouped(perhapsCreated),
        capText,
        grouped(refusedCount),
        joinWithAnd(amountTexts),
      ],
    };
  });
  const columns = [
    'What',
    { number: 'Created' },
    { number: 'Perhaps' },
    { number: 'At most' },
    { number: 'Refused' },
    'Amounts',
  ];
  const amountNote = caps === null ? '' : `No request had an amount above ${grouped(caps.amount)}. `;
  return makeSectionTag('created', 'What the run created')`${renderTable(columns, rows)}
<p class="small soft">${amountNote}Perhaps: no answer said whether the bank created the entry. Refused: the bank refused the request, and the request does not count for the cap. <code>created.csv</code> lists all of them.</p>`;
}

export function renderErrors({ errors }: Report): Markup | null {
  if (errors.length === 0) return null;
  const entries = errors.map(
    ({ scenario, message }) =>
      html`<article class="finding is-warning"><h3>${scenario ?? 'Not in a scenario'}</h3><pre>${message}</pre></article>`,
  );
  return makeSectionTag('faults', 'Errors of the suite')`<p>The bank is not the reason.</p>${entries}`;
}

type Fact = readonly [name: string, value: string | Markup];

/** Makes a fact from a value that a report may not have. */
const makeOptionalFact = <Value>(value: Value | undefined, makeFact: (value: Value) => Fact): readonly Fact[] =>
  value === undefined ? [] : [makeFact(value)];

/** Shows the beginning of a digest. The tooltip shows all characters. */
const renderDigest = (digest: string): Markup => html`<code title="${digest}">${digest.slice(0, 12)}</code>`;

export function renderRunFacts(report: Report): Markup {
  const { suite, target, startedAt } = report;
  const fewerCases = describeFewerCases(report);
  const listFactsOfRun = (): readonly Fact[] => [
    ['Duration', `${formatDuration(report.durationMs)}, ${counted(report.requests, 'request')}`],
    ...makeOptionalFact(report.concurrency, ({ most, ceiling }) => [
      'In flight',
      describeConcurrency(report) ?? `at most ${most} requests at once (${ceiling} allowed)`,
    ]),
    ['Seed', `${suite.seed} (${counted(suite.runs, 'case')} per property)`],
    ...(fewerCases.length === 0 ? [] : [['Random cases', fewerCases.join('; ')] as const]),
  ];
  const failOn = suite.failOn?.length ? `, except ${suite.failOn.join(', ')}` : '';
  const facts: readonly Fact[] = [
    ['Base URL', target.baseUrl || (target.embedded ? 'started for this run only' : 'unknown')],
    ['Areas', target.areas.map((area) => areaTitles[area]).join(', ')],
    ['Started', html`<time datetime="${startedAt}">${formatTime(startedAt)}</time>`],
    ...(report.recording === undefined ? listFactsOfRun() : [['Recorded', describeRequests(report)] as const]),
    ['Suite', html`${suite.version} ${renderDigest(suite.digest)}`],
    ['Contract', renderDigest(suite.contractDigest)],
    ['Clauses', renderDigest(suite.catalogueDigest)],
    ...makeOptionalFact(suite.overlay, ({ title, contractDigest }) => [
      'Overlay',
      html`<a class="warning" href="#against"><strong>${title}</strong></a> ${renderDigest(contractDigest)}`,
    ]),
    ...makeOptionalFact(suite.weakSecrets, (names) => ['Masked only as whole values', names.join(', ')]),
    ['Strict', suite.strict ? 'yes: warnings fail the gate' : `no: warnings do not fail the gate${failOn}`],
  ];
  return makeSectionTag(
    'run',
    'The run',
  )`<dl class="facts">${facts.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}
