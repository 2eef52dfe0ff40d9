/** The findings, worst first: the promise, what was expected, what came, and how to see it again. */
import type { Finding, Report } from '../report.ts';
import { exchange } from './evidence.ts';
import { h } from './markup.ts';
import type { Markup } from './markup.ts';
import { clauseAnchor, command, exchangeAnchor, findingAnchors, often, place, verdictMark } from './parts.ts';

/** How many findings show their evidence; the commands and the words of the others are all there. */
const mostWithEvidence = 60;

/** The section of the findings. */
export function findingsSection(report: Report): Markup {
  const anchors = findingAnchors(report);
  const shown = new Set<string>();
  const entries = report.findings.map((finding, at) =>
    entry(finding, anchors.get(finding.id)!, report, at < mostWithEvidence ? shown : null),
  );
  return h`<section aria-labelledby="findings"><h2 id="findings">Findings</h2>
${entries.length === 0 ? h`<p>No promise of the document was seen broken, and nothing draws a warning.</p>` : entries}</section>`;
}

/** The exchanges that stand beside findings, each with its place on the page. */
export function exchangesOfFindings(report: Report): Set<string> {
  return new Set(
    report.findings.slice(0, mostWithEvidence).flatMap((one) => evidenceOf(one).map(([id]) => id)),
  );
}

/** The exchanges of a finding: the smallest or the first that shows it, and the nearest that was judged fine. */
function evidenceOf(finding: Finding): [id: string, title: string][] {
  const small = finding.counterexample?.exchange;
  const list: [string, string][] = [[finding.exchange, 'Where it was seen']];
  if (small !== undefined && small !== finding.exchange)
    list.push([small, 'The smallest request that shows it']);
  if (finding.contrast !== null) list.push([finding.contrast, 'The nearest exchange that was judged fine']);
  return list;
}

function entry(finding: Finding, anchor: string, report: Report, shown: Set<string> | null): Markup {
  return h`<article class="finding is-${finding.verdict}" id="${anchor}">
<p class="where">${verdictMark(finding.verdict)} · <a href="#${clauseAnchor(finding.clause)}">${finding.clause}</a> · ${often(finding)}</p>
<h3>${finding.statement}</h3>
<p class="where"><code>${finding.operation}</code> at ${place(finding.pointer)}</p>
<dl class="versus"><div><dt>Expected</dt><dd>${finding.expected}</dd></div><div><dt>Received</dt><dd>${finding.received}</dd></div></dl>
${finding.curl === null ? '' : command(`curl-${anchor}`, 'Ask it again', finding.curl)}
${finding.replay === null ? '' : command(`replay-${anchor}`, 'Replay exactly this', finding.replay)}
${counterexample(finding)}${evidence(finding, report, shown)}
</article>`;
}

function counterexample(finding: Finding): Markup | null {
  const small = finding.counterexample;
  if (small === null) return null;
  const state = {
    minimal: `minimal, after ${small.shrinks} steps of shrinking`,
    'stopped by cap': `shrinking was stopped by a cap after ${small.shrinks} steps`,
    'did not recur alone': 'it did not recur alone',
  }[small.state];
  return h`<div class="command"><p class="label">Smallest input that shows it (${state})</p><pre>${JSON.stringify(small.input, null, 2)}</pre></div>`;
}

function evidence(finding: Finding, report: Report, shown: Set<string> | null): Markup | null {
  const list = evidenceOf(finding).filter(([id]) => report.exchanges[id] !== undefined);
  if (list.length === 0) return h`<p class="small soft">The exchange itself was not kept.</p>`;
  if (shown === null) {
    return h`<p class="small">${list.map(([id, title]) => h`<a href="#${exchangeAnchor(id)}">${title}</a> `)}</p>`;
  }
  const blocks = list.map(([id, title]) => {
    const block = exchange(report.exchanges[id]!, title, id === finding.contrast ? null : finding);
    if (shown.has(id)) return block;
    shown.add(id);
    return h`<div id="${exchangeAnchor(id)}">${block}</div>`;
  });
  return h`<details><summary>Evidence: request and response${finding.contrast === null ? '' : ', with a contrast'}</summary>${blocks}</details>`;
}
