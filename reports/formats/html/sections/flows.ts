/** Shows the flows: real requests in order, and the ids and codes that each request took from an earlier answer. */
import { operations } from '../../../../openapi/contract/operations.ts';
import type { Flow, Step } from '../../../model/contents.ts';
import type { Report } from '../../../model/report.ts';
import { areaTitles, counted } from '../../../text/phrases.ts';
import { shortenText, toOneLine } from '../../../text/sanitize.ts';
import { joinParts, linkEvidence, makeSectionTag, renderFoldedPart, renderTable } from '../components.ts';
import type { Markup } from '../markup.ts';

const MAX_VALUE_LENGTH = 40;

const FLOW_COLUMNS = ['Step', 'Request', 'Carried', 'Status', 'Answer'];

export function renderFlows(report: Report): Markup | null {
  if (report.flows.length === 0) return null;
  return makeSectionTag('flows', 'Flows')`${report.flows.map((flow) => renderFlow(flow, report))}`;
}

function renderFlow({ area, steps }: Flow, report: Report): Markup {
  const value = (text: string): string => shortenText(toOneLine(text), MAX_VALUE_LENGTH);
  const rows = steps.map(({ operation, exchange, status, carried, gave }: Step, at) => ({
    cells: [
      at + 1,
      linkEvidence(report, exchange, `${operations[operation].method} ${operation}`),
      joinParts(
        carried.map(
          (one) => `${one.name} ${value(one.value)}${one.from === null ? '' : ` (from step ${one.from + 1})`}`,
        ),
      ),
      status ?? 'no answer',
      joinParts(gave.map((one) => `${one.name} ${value(one.value)}`)),
    ],
  }));
  return renderFoldedPart(
    areaTitles[area],
    counted(steps.length, 'step'),
    renderTable(FLOW_COLUMNS, rows),
    `flow-${area}`,
  );
}
