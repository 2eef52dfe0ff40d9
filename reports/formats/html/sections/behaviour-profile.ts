/** The dialect card: what the document leaves open, what this target does there, and the exchanges that show it. */
import { behaviourProfileOf } from '../../../baseline/behaviour-profile.ts';
import type { Report } from '../../../model/report.ts';
import { areaTitle, grouped } from '../../../text/phrases.ts';
import { pinMark } from './triage.ts';
import { html } from '../markup.ts';
import type { Markup } from '../markup.ts';
import { clauseAnchor, evidenceLink } from '../components.ts';
import type { ProfileAnswer, ProfilePoint, ProfileQuestion } from '../../../model/behaviour-profile.ts';

/** The section of the open points. */
export function behaviourProfileSection(report: Report): Markup {
  const { points } = behaviourProfileOf(report);
  const [seen, unseen] = [
    points.filter(({ questions }) => questions.length > 0),
    points.filter(({ questions }) => questions.length === 0),
  ];
  const rows = seen.flatMap((point) => [
    html`<tr><th colspan="3" scope="rowgroup"><a href="#${clauseAnchor(point.point)}">${point.statement}</a> <span class="small soft">${areaTitle[point.area]}</span> ${pinMark(point.point)}</th></tr>`,
    ...merged(point).map(({ operations, question }) => row(operations, question, report)),
  ]);
  return html`<section aria-labelledby="open-points"><h2 id="open-points">Open points</h2>
<p>The document leaves these open. Nothing here is right or wrong; it is how this target does it. The card stands in <code>dialect.json</code>, and what OpenAPI can say of it in <code>dialect.overlay.yaml</code>.</p>
${rows.length === 0 ? html`<p>Nothing was observed.</p>` : html`<table class="stack"><thead><tr><th scope="col">Asked at</th><th scope="col">About</th><th scope="col">Answered</th></tr></thead><tbody>${rows}</tbody></table>`}
${unseen.length === 0 ? '' : html`<p class="small">Not observed: ${unseen.map(({ point }, at) => html`${at > 0 ? ', ' : ''}<a href="#${clauseAnchor(point)}">${point}</a>`)}.</p>`}</section>`;
}

interface Row {
  readonly operations: readonly string[];
  readonly question: ProfileQuestion;
}

/** Operations that answer a question alike share a row. */
function merged({ questions }: ProfilePoint): readonly Row[] {
  const rows = new Map<string, { operations: string[]; question: ProfileQuestion }>();
  for (const question of questions) {
    const key = `${question.about ?? ''}\n${question.answers.map(({ value }) => value).join('\n')}`;
    const known = rows.get(key);
    if (known === undefined) rows.set(key, { operations: [question.operation], question });
    else {
      known.operations.push(question.operation);
      const answers = known.question.answers.map((one, index) => ({
        ...one,
        count: one.count + (question.answers[index]?.count ?? 0),
      }));
      known.question = { ...known.question, answers };
    }
  }
  return [...rows.values()];
}

function row(operations: readonly string[], { about, varies, answers }: ProfileQuestion, report: Report): Markup {
  const where = operations
    .slice(0, 3)
    .map((operation, at) => html`${at > 0 ? html`<br>` : ''}<code>${operation}</code>`);
  const more =
    operations.length > 3 ? html`<br><span class="soft">and ${operations.length - 3} more operations</span>` : '';
  const stated = answers.map((one, at) => html`${at > 0 ? '; ' : ''}${answer(one, report)}`);
  return html`<tr><td data-label="Asked at"><span>${where}${more}</span></td><td data-label="About"><span>${about ?? 'the operation'}</span></td><td data-label="Answered"><span>${varies ? html`<strong>varies:</strong> ` : ''}${stated}</span></td></tr>`;
}

function answer({ value, count, exchange, control }: ProfileAnswer, report: Report): Markup {
  const twin =
    control === null ? '' : html`, beside ${evidenceLink(report, control, 'its control', `The control of ${value}`)}`;
  return html`${evidenceLink(report, exchange, value)} <span class="soft">${grouped(count)} ×${twin}</span>`;
}
