/** The open points: what the document leaves open, what this target does there, and the exchanges that show it. */
import { behaviourProfileOf } from '../../../baseline/behaviour-profile.ts';
import type { Report } from '../../../model/report.ts';
import { areaTitle, grouped } from '../../../text/phrases.ts';
import { pinMark } from './triage.ts';
import { html, type Markup } from '../markup.ts';
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
<p>The document leaves these points open, so no answer here is right or wrong: this is what the bank does. <code>dialect.json</code> has the same answers for programs, and <code>dialect.overlay.yaml</code> those that OpenAPI can express.</p>
${rows.length === 0 ? html`<p>Nothing was observed.</p>` : html`<table class="stack"><thead><tr><th scope="col">Operation</th><th scope="col">Question</th><th scope="col">Answer</th></tr></thead><tbody>${rows}</tbody></table>`}
${unseen.length === 0 ? '' : html`<p class="small">Not tested: ${unseen.map(({ point }, at) => html`${at > 0 ? ', ' : ''}<a href="#${clauseAnchor(point)}">${point}</a>`)}.</p>`}</section>`;
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
  return html`<tr><td data-label="Operation"><span>${where}${more}</span></td><td data-label="Question"><span>${about ?? 'in general'}</span></td><td data-label="Answer"><span>${varies ? html`<strong>varies:</strong> ` : ''}${stated}</span></td></tr>`;
}

function answer({ value, count, exchange, control }: ProfileAnswer, report: Report): Markup {
  const linkToControl =
    control === null ? '' : html`, ${evidenceLink(report, control, 'control', `The control request of ${value}`)}`;
  return html`${evidenceLink(report, exchange, value)} <span class="soft">${grouped(count)} ×${linkToControl}</span>`;
}
