/** Renders the proof as a page. Pure: the same proof gives the same page. */
import { sections } from '../../openapi/clauses/clause.ts';
import { areas } from '../../openapi/model/exchange.ts';
import { factList, section, table, verdictMark, clauseAnchor } from '../formats/html/components.ts';
import { html, type Markup } from '../formats/html/markup.ts';
import { layout } from '../formats/html/layout.ts';
import { areaTitle, counted, grouped } from '../text/phrases.ts';
import { drawnByClass, drawnFigures, drawnRemarks } from './drawn.ts';
import { incidentCounts, silentIncidents } from './incidents.ts';
import { unproven } from './matrix.ts';
import type { ClauseStrength, Proof } from './proof.ts';
import { isBlameless, shareOfPopulation } from './terminal.ts';

/** Shows a figure by words, sign and colour. */
const figure = (isGood: boolean, text: string): Markup => verdictMark(isGood ? 'pass' : 'fail', text);

/** Shows a bank or a clause: its description and its name. */
const descriptionAndName = (description: string, name: string): Markup => html`${description}<br><code>${name}</code>`;

const list = (lines: readonly (string | Markup)[], attributes: Markup | '' = ''): Markup =>
  html`<ul${attributes}>${lines.map((line) => html`<li>${line}</li>`)}</ul>`;
const reasons = (lines: readonly (string | Markup)[]): Markup => list(lines, html` class="reasons"`);

function clauseRow({ id, level, statement, known, caught, escaped, alarms, banks }: ClauseStrength) {
  const names = (all: readonly string[]) =>
    all.length === 0 ? '' : html`<br>${all.map((name) => html`<code>${name}</code> `)}`;
  const ofKnown = known === 0 ? 'no mutant is known' : `${caught} of ${known}`;
  return {
    id: clauseAnchor(id),
    cells: [
      descriptionAndName(statement, id),
      level,
      html`${figure(known > 0 && caught === known, ofKnown)}${names(escaped)}`,
      html`${figure(alarms.length === 0, `${alarms.length} of ${banks}`)}${names(alarms)}`,
    ],
  };
}

function matrix({ clauses }: Proof): Markup {
  const rows = sections.flatMap((name) =>
    (['service', ...areas] as const).flatMap((area) => {
      const here = clauses.filter((clause) => clause.section === name && clause.area === area);
      return here.length === 0 ? [] : [{ group: `${name}: ${areaTitle[area]}` }, ...here.map(clauseRow)];
    }),
  );
  return section('matrix', 'Clause by clause')`${table(['Clause', 'Level', 'Mutants caught', 'False alarms'], rows)}`;
}

/** Shows an entry for a bank with a wrong result. */
const article = (description: string, where: Markup, body: Markup): Markup =>
  html`<article class="finding is-fail"><h3>${description}</h3>
<p class="where">${where}</p>${body}</article>`;

function escapes({ mutants }: Proof): Markup | '' {
  const entries = mutants
    .filter(({ outcome }) => outcome !== 'caught')
    .map(({ name, description, outcome, expected, found, why }) => {
      const seen = found.length === 0 ? 'nothing' : found.map((one) => html`${one}<br>`);
      const versus = html`<dl class="versus"><div><dt>expected</dt><dd>${expected}</dd></div><div><dt>found</dt><dd>${seen}</dd></div></dl>`;
      return article(description, html`<code>${name}</code> · ${outcome} · ${why}`, versus);
    });
  return entries.length === 0 ? '' : section('escaped', 'Mutants that escape')`${entries}`;
}

function alarms({ banks }: Proof): Markup | '' {
  const entries = banks
    .filter((bank) => !isBlameless(bank))
    .map(({ name, description, alarms: raised, complaints }) =>
      article(description, html`<code>${name}</code>`, list([...raised.map(({ found }) => found), ...complaints])),
    );
  return entries.length === 0 ? '' : section('alarms', 'False alarms')`${entries}`;
}

/** Shows how many shipped bugs are noticed, and lists each unnoticed bug. */
function incidents({ incidents: all }: Proof): Markup | '' {
  if (all.length === 0) return '';
  const rows = silentIncidents(all).map(({ name, description, breaks, clause, visible }) => ({
    cells: [
      descriptionAndName(description, name),
      `${breaks} ${clause ?? ''}${visible === 'soak' ? ' (only over time)' : ''}`,
    ],
  }));
  return section('incidents', 'Bugs that teams ship')`${reasons(incidentCounts(all))}
${table(['Nothing is said of', 'It breaks'], rows)}`;
}

/** Shows the random banks of this proof. Nobody can write the suite for these figures. */
function drawnBanks({ drawn }: Proof): Markup | '' {
  if (drawn.bugs.length === 0) return '';
  const rows = drawnByClass(drawn).map((cells) => ({ cells }));
  return section('drawn', 'Banks drawn for this proof')`${reasons(drawnFigures(drawn))}
${table(['Class', 'Figure'], rows)}
<details><summary>What was not noticed, and what alarmed</summary>${list(drawnRemarks(drawn))}</details>`;
}

/** Lists every bank that the figures count. */
function banks({ kinds, mutants, banks: all }: Proof): Markup {
  const variants = all.filter(({ kind }) => kind === 'variant');
  const ofKinds = kinds.map(({ kind, known, caught }) => {
    const rows = mutants
      .filter((mutant) => mutant.kind === kind)
      .map(({ name, description, clause }) => ({
        cells: [descriptionAndName(description, name), html`<a href="#${clauseAnchor(clause)}">${clause}</a>`],
      }));
    return html`<details><summary>${counted(known, `${kind} mutant`)}, ${grouped(caught)} caught</summary>
${table(['Mutant', 'Clause'], rows)}</details>`;
  });
  const rows = variants.map(({ name, description, verdict }) => ({
    cells: [descriptionAndName(description, name), verdict],
  }));
  return section('banks', 'The banks')`${ofKinds}
<details><summary>${counted(variants.length, 'variant')}</summary>${table(['Bank that conforms', 'Verdict'], rows)}</details>`;
}

function figures(proof: Proof): Markup {
  const { mutants, conformant, measure, durationMs, startedAt, suite } = proof;
  const caught = mutants.filter(({ outcome }) => outcome === 'caught').length;
  const alarmed = proof.banks.filter((bank) => bank.alarms.length > 0).length;
  const without = unproven(proof).length;
  const [have, them] = without === 1 ? ['has', 'it'] : ['have', 'them'];
  const caps = Object.entries(measure.caps).map(([name, cap]) => `${grouped(cap)} ${name}`);
  const ofMutants = `${grouped(caught)} of ${grouped(mutants.length)}`;
  const ofBanks = `${grouped(alarmed)} of ${grouped(conformant.variants + conformant.randomVariants)}`;
  return html`<p class="small soft">Bank Open API conformance suite ${suite.version}</p>
<h1>What this suite catches, and what it leaves alone</h1>
${reasons([
  html`${figure(caught === mutants.length, ofMutants)} mutated banks are caught, and the right clause is blamed.`,
  html`${figure(alarmed === 0, ofBanks)} banks that conform, each in its own way, raise an alarm.`,
  html`${figure(without === 0, counted(without, 'clause'))} that can be broken ${have} no mutant that breaks ${them}.`,
])}
${factList([
  ['Examined', shareOfPopulation(proof)],
  ['Choices found among their open points', grouped(conformant.choices)],
  ['Cases per property', measure.runs],
  ['Caps', caps.join(', ')],
  ['Measured', `${startedAt.slice(0, 16).replace('T', ' ')} in ${(durationMs / 1000).toFixed(0)} s`],
  ['Digest of the suite', measure.digest.slice(0, 16)],
])}
<p class="small">Every bank was examined over HTTP as a foreign target, with the tests that examine any target, unchanged: a mutated one in the area that its mutant touches, a conformant one in the areas in which it differs. The figures hold for this digest, and for runs of at least these cases and caps.</p>`;
}

/** Renders the proof as one self-contained page. */
export function renderProof(proof: Proof): string {
  return layout({
    title: 'The suite, proven: Bank Open API',
    skip: { to: 'matrix', text: 'Skip to the matrix' },
    body: html`${figures(proof)}${escapes(proof)}${alarms(proof)}${drawnBanks(proof)}${incidents(proof)}${matrix(proof)}${banks(proof)}`,
  });
}
