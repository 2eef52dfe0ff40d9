/** The proof as a page. Pure: the same proof gives the same page. */
import { sections } from '../../openapi/clauses/clause.ts';
import { html, slug, type Markup } from '../formats/html/markup.ts';
import { layout } from '../formats/html/layout.ts';
import { areaTitle, counted, grouped } from '../text/phrases.ts';
import { drawnByClass, drawnFigures, drawnRemarks } from './drawn.ts';
import { incidentCounts, silentIncidents } from './incidents.ts';
import { unproven } from './matrix.ts';
import type { ClauseStrength, Proof } from './proof.ts';
import { isBlameless, shareOfPopulation } from './terminal.ts';

const anchor = (id: string): string => `clause-${slug(id)}`;

/** So many of so many, stated by words, sign and colour. */
function share(good: boolean, text: string): Markup {
  return html`<span class="verdict ${good ? 'pass' : 'fail'}"><span aria-hidden="true">${good ? '●' : '■'}</span> ${text}</span>`;
}

function row({ id, level, statement, known, caught, escaped, alarms, banks: examined }: ClauseStrength): Markup {
  return html`<tr id="${anchor(id)}"><th scope="row">${statement}<br><code>${id}</code></th>
<td data-label="Level">${level}</td>
<td data-label="Mutants caught">${known === 0 ? share(false, 'no mutant is known') : share(caught === known, `${caught} of ${known}`)}${escaped.length === 0 ? '' : html`<br>${escaped.map((name) => html`<code>${name}</code> `)}`}</td>
<td data-label="False alarms">${share(alarms.length === 0, `${alarms.length} of ${examined}`)}${alarms.length === 0 ? '' : html`<br>${alarms.map((name) => html`<code>${name}</code> `)}`}</td></tr>`;
}

function matrix({ clauses }: Proof): Markup {
  const parts = sections.flatMap((section) =>
    (['service', 'loans', 'payment-links', 'atms'] as const).flatMap((area) => {
      const mine = clauses.filter((clause) => clause.section === section && clause.area === area);
      if (mine.length === 0) return [];
      return [html`<tr><th scope="colgroup" colspan="4">${section}: ${areaTitle[area]}</th></tr>${mine.map(row)}`];
    }),
  );
  return html`<section aria-labelledby="matrix"><h2 id="matrix">Clause by clause</h2>
<table class="stack"><thead><tr><th scope="col">Clause</th><th scope="col">Level</th><th scope="col">Mutants caught</th><th scope="col">False alarms</th></tr></thead>
<tbody>${parts}</tbody></table></section>`;
}

function escapes({ mutants }: Proof): Markup | string {
  const escaped = mutants.filter(({ outcome }) => outcome !== 'caught');
  if (escaped.length === 0) return '';
  return html`<section aria-labelledby="escaped"><h2 id="escaped">Mutants that escape</h2>
${escaped.map(
  ({
    name,
    description,
    outcome,
    expected,
    found,
    why,
  }) => html`<article class="finding is-fail"><h3>${description}</h3>
<p class="where"><code>${name}</code> · ${outcome} · ${why}</p>
<dl class="versus"><div><dt>expected</dt><dd>${expected}</dd></div><div><dt>found</dt><dd>${found.length === 0 ? 'nothing' : found.map((one) => html`${one}<br>`)}</dd></div></dl></article>`,
)}</section>`;
}

function alarms({ banks }: Proof): Markup | string {
  const alarmed = banks.filter((bank) => !isBlameless(bank));
  if (alarmed.length === 0) return '';
  return html`<section aria-labelledby="alarms"><h2 id="alarms">False alarms</h2>
${alarmed.map(
  ({ name, description, alarms: raised, complaints }) => html`<article class="finding is-fail"><h3>${description}</h3>
<p class="where"><code>${name}</code></p><ul>${raised.map(({ found }) => html`<li>${found}</li>`)}${complaints.map((one) => html`<li>${one}</li>`)}</ul></article>`,
)}</section>`;
}

/** Shipped bugs: how many are noticed, and each of which nothing is said. */
function incidents({ incidents: all }: Proof): Markup | string {
  if (all.length === 0) return '';
  const rows = silentIncidents(all).map(
    ({ name, description, breaks, clause, visible }) =>
      html`<tr><th scope="row">${description}<br><code>${name}</code></th>
<td data-label="It breaks">${breaks} ${clause ?? ''}${visible === 'soak' ? ' (only over time)' : ''}</td></tr>`,
  );
  return html`<section aria-labelledby="incidents"><h2 id="incidents">Bugs that teams ship</h2>
<ul class="reasons">${incidentCounts(all).map((line) => html`<li>${line}</li>`)}</ul>
<table class="stack"><thead><tr><th scope="col">Nothing is said of</th><th scope="col">It breaks</th></tr></thead>
<tbody>${rows}</tbody></table></section>`;
}

/** Banks that were drawn for this proof alone: the figures that nobody can have written the suite for. */
function drawnBanks({ drawn }: Proof): Markup | string {
  if (drawn.bugs.length === 0) return '';
  return html`<section aria-labelledby="drawn"><h2 id="drawn">Banks drawn for this proof</h2>
<ul class="reasons">${drawnFigures(drawn).map((line) => html`<li>${line}</li>`)}</ul>
<table class="stack"><thead><tr><th scope="col">Class</th><th scope="col">Figure</th></tr></thead>
<tbody>${drawnByClass(drawn).map(([name, figure]) => html`<tr><th scope="row">${name}</th><td data-label="Figure">${figure}</td></tr>`)}</tbody></table>
<details><summary>What was not noticed, and what alarmed</summary><ul>${drawnRemarks(drawn).map((line) => html`<li>${line}</li>`)}</ul></details></section>`;
}

/** Every bank, so that a reader can look up what the figures count. */
function banks(proof: Proof): Markup {
  const variants = proof.banks.filter(({ kind }) => kind === 'variant');
  const kinds = proof.kinds.map(
    ({
      kind,
      known,
      caught,
    }) => html`<details><summary>${counted(known, `${kind} mutant`)}, ${grouped(caught)} caught</summary>
<table class="stack"><thead><tr><th scope="col">Mutant</th><th scope="col">Clause</th></tr></thead><tbody>${proof.mutants
      .filter((mutant) => mutant.kind === kind)
      .map(
        ({ name, description, clause }) =>
          html`<tr><th scope="row">${description}<br><code>${name}</code></th><td data-label="Clause"><a href="#${anchor(clause)}">${clause}</a></td></tr>`,
      )}</tbody></table></details>`,
  );
  return html`<section aria-labelledby="banks"><h2 id="banks">The banks</h2>
${kinds}
<details><summary>${counted(variants.length, 'variant')}</summary><table class="stack"><thead><tr><th scope="col">Bank that conforms</th><th scope="col">Verdict</th></tr></thead>
<tbody>${variants.map(({ name, description, verdict }) => html`<tr><th scope="row">${description}<br><code>${name}</code></th><td data-label="Verdict">${verdict}</td></tr>`)}</tbody></table></details></section>`;
}

function figures(proof: Proof): Markup {
  const { mutants, conformant, measure, durationMs, startedAt, suite } = proof;
  const caught = mutants.filter(({ outcome }) => outcome === 'caught').length;
  const alarmed = proof.banks.filter((bank) => bank.alarms.length > 0).length;
  const fact = (name: string, value: string): Markup => html`<div><dt>${name}</dt><dd>${value}</dd></div>`;
  const without = unproven(proof).length;
  return html`<p class="title">Bank Open API conformance suite ${suite.version}</p>
<h1>What this suite catches, and what it leaves alone</h1>
<ul class="reasons">
<li>${share(caught === mutants.length, `${grouped(caught)} of ${grouped(mutants.length)}`)} mutated banks are caught, and the right clause is blamed.</li>
<li>${share(alarmed === 0, `${grouped(alarmed)} of ${grouped(conformant.variants + conformant.randomVariants)}`)} banks that conform, each in its own way, raise an alarm.</li>
<li>${share(without === 0, counted(without, 'clause'))} that can be broken ${without === 1 ? 'has' : 'have'} no mutant that breaks ${without === 1 ? 'it' : 'them'}.</li>
</ul>
<dl class="facts">${fact('Examined', shareOfPopulation(proof))}${fact('Choices found among their open points', grouped(conformant.choices))}${fact('Cases per property', String(measure.runs))}
${fact(
  'Caps',
  Object.entries(measure.caps)
    .map(([name, cap]) => `${grouped(cap)} ${name}`)
    .join(', '),
)}${fact('Measured', `${startedAt.slice(0, 16).replace('T', ' ')} in ${(durationMs / 1000).toFixed(0)} s`)}${fact('Digest of the suite', measure.digest.slice(0, 16))}</dl>
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
