/** Draws a flow as a sequence diagram: requests, answers, and the ids from an answer to a later request. */
import { operations } from '../../../../openapi/contract/operations.ts';
import type { Flow, Step } from '../../../model/contents.ts';
import type { Report } from '../../../model/report.ts';
import { toOneLine, shorten } from '../../../text/sanitize.ts';
import { areaTitles } from '../../../text/phrases.ts';
import { html, type Markup } from '../markup.ts';
import { linkEvidence } from '../components.ts';
import { roundToTenth, renderFigure } from './svg.ts';

const [width, suite, bank, top, stepHeight] = [860, 120, 800, 46, 92];

export function drawFlow(flow: Flow, report: Report): Markup {
  const { area, steps } = flow;
  const bottom = top + steps.length * stepHeight;
  const rows = steps.map(
    (step) => html`<li>${linkEvidence(report, step.exchange, getStepName(step))} ${describeStep(step)}</li>`,
  );
  return renderFigure({
    id: `picture-flow-${area}`,
    title: `${areaTitles[area]}: how one flow went`,
    words: steps.map((step, n) => `${n + 1}. ${getStepName(step)} ${describeStep(step)}`).join(' '),
    width,
    height: bottom + 14,
    drawn: [
      html`<defs><marker id="tip-${area}" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" orient="auto-start-reverse"><path class="tip" d="M0 0L8 4L0 8z"/></marker></defs>`,
      ...(
        [
          [suite, 'suite'],
          [bank, 'bank'],
        ] as const
      ).map(
        ([x, name]) =>
          html`<line class="life" x1="${x}" x2="${x}" y1="${top - 12}" y2="${bottom + 8}"/><text class="name" x="${x}" y="${top - 20}" text-anchor="middle">${name}</text>`,
      ),
      ...drawArcs(steps),
      ...steps.map((step, n) => drawStep(step, n, area)),
    ],
    below: html`<details><summary>The same in words, with the exchanges</summary><ol>${rows}</ol></details>`,
  });
}

const cutLine = (text: string, most = 26): string => shorten(toOneLine(text), most);

function getStepName({ operation }: Step): string {
  const { method, path } = operations[operation];
  return `${method} ${path.replace(/^.*\/v1/, '')}`;
}

function describeStep({ carried, gave, status }: Step): string {
  const sent = carried.map(
    ({ name, value, from }) => `${name} ${cutLine(value, 40)}${from === null ? '' : ` (given in step ${from + 1})`}`,
  );
  const came = gave.map(({ name, value }) => `${name} ${cutLine(value, 40)}`);
  return `${sent.length > 0 ? `carried ${sent.join(', ')}; ` : ''}answered ${status ?? 'nothing'}${came.length > 0 ? ` with ${came.join(', ')}` : ''}.`;
}

const requestY = (n: number): number => top + n * stepHeight + 30;
const answerY = (n: number): number => top + n * stepHeight + 68;

function drawStep(step: Step, n: number, area: string): Markup {
  const [asked, answered] = [requestY(n), answerY(n)];
  const sent = step.carried.map(
    ({ name, value, from }, index) =>
      html`<tspan class="${from === null ? 'own' : 'carried'}">${index > 0 ? '  ' : ''}${name} ${cutLine(value, 20)}${from === null ? '' : ` ←${from + 1}`}</tspan>`,
  );
  const came = step.gave
    .slice(0, 3)
    .map(({ name, value }) => `${name} ${cutLine(value)}`)
    .join('  ');
  return html`<text class="step" x="${suite + 16}" y="${asked - 20}">${n + 1}. ${getStepName(step)}</text><text class="ids" x="${suite + 16}" y="${asked - 5}">${sent}</text><line class="asked" x1="${suite}" x2="${bank}" y1="${asked}" y2="${asked}" marker-end="url(#tip-${area})"/><text class="ids" x="${bank - 12}" y="${answered - 5}" text-anchor="end">${shorten(`${step.status ?? 'no answer'}  ${came}`, 88)}</text><line class="answered" x1="${bank}" x2="${suite}" y1="${answered}" y2="${answered}" marker-end="url(#tip-${area})"/>`;
}

/** Draws a line from each answer with an id to the requests with this id. */
function drawArcs(steps: readonly Step[]): Markup[] {
  return steps.flatMap(({ carried }, n) => {
    const givers = [...new Set(carried.flatMap(({ from }) => (from === null ? [] : [from])))];
    return givers.map((from) => {
      const [start, end] = [answerY(from), requestY(n)];
      const bend = roundToTenth(suite - Math.min(100, 18 + (n - from) * 20));
      return html`<path class="arc" d="M${suite} ${start}C${bend} ${start} ${bend} ${end} ${suite} ${end}"/><circle class="arc-end" cx="${suite}" cy="${end}" r="3"/>`;
    });
  });
}
