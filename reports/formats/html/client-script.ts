/** What the page does beyond being read. Without it everything is still there. */
export const script = `'use strict';
const byId = (id) => document.getElementById(id);
const all = (selector, within = document) => [...within.querySelectorAll(selector)];

/* Judge again what the page carries, before anything on it is touched. */
const sumOf = (element) => selfJudging.digest(element.textContent.replace(/\\s+/g, ' ').trim());
const unpack = async (text) => {
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))).json();
};
const judgeAgain = async () => {
  const place = byId('self-judging');
  if (!place || typeof selfJudging === 'undefined') return;
  const pieces = all('[data-sum]');
  const damaged = pieces.filter((piece) => sumOf(piece) !== piece.dataset.sum);
  const lines = damaged
    .filter((piece) => !damaged.some((other) => other !== piece && piece.contains(other)))
    .map((piece) => [piece.id || piece.dataset.exchange, 'its text on the page is not the text that was written']);
  let said = '';
  try {
    const evidence = await unpack(byId('evidence-data').textContent.trim());
    const result = selfJudging.rejudge(evidence);
    for (const { at, what } of result.differences) lines.push([at, what]);
    for (const { id, verdict } of evidence.clauses) {
      const shown = byId('clause-' + id.replace(/[^A-Za-z0-9.]+/g, '-'));
      if (shown && shown.dataset.verdict !== verdict) lines.push([id, 'the page shows ' + shown.dataset.verdict + ' and its evidence says ' + verdict]);
    }
    if (document.querySelector('h1')?.className !== evidence.verdict) lines.push(['the verdict', 'the page shows another than its evidence says']);
    const n = (count, word) => count.toLocaleString('en') + ' ' + word + (count === 1 ? '' : 's');
    said = n(result.verdicts, 'verdict') + ' recomputed from ' + n(result.exchanges, 'exchange') + ', ' + result.equal.toLocaleString('en') + ' equal; ' +
      n(Object.keys(evidence.exchanges).length, 'SHA-256 digest') + ' checked, ' + (result.changed === 0 ? 'all fit' : result.changed + ' do not fit') + '; ' +
      n(pieces.length, 'piece') + ' of text compared, ' + (damaged.length === 0 ? 'none changed' : damaged.length + ' changed') + '. ' +
      'Not judged again: ' + n(result.beyond, 'clause') + ' whose verdict rests on several exchanges, on a scenario or on exchanges that are not kept here' +
      (result.cut > 0 ? ', and ' + n(result.cut, 'exchange') + ' whose body was cut' : '') + '.';
  } catch (error) {
    lines.push(['the evidence', 'it is damaged and cannot be read (' + error.message + ')']);
  }
  place.dataset.state = lines.length === 0 ? 'equal' : 'different';
  const head = document.createElement('strong');
  head.className = lines.length === 0 ? 'pass' : 'fail';
  head.textContent = lines.length === 0 ? 'This page judged itself again and agrees. ' : 'This page is damaged: it does not agree with its own evidence. ';
  place.replaceChildren(head, said, document.createTextNode(' This finds damage, not forgery: who changes the page can change the digests too.'));
  if (lines.length > 0) {
    const list = document.createElement('ul');
    for (const [at, what] of lines.slice(0, 20)) list.append(Object.assign(document.createElement('li'), { textContent: at + ': ' + what + '.' }));
    if (lines.length > 20) list.append(Object.assign(document.createElement('li'), { textContent: 'and ' + (lines.length - 20) + ' more' }));
    place.append(list);
  }
};
judgeAgain();

/* Copy. */
for (const button of all('button[data-copy]')) {
  button.hidden = false;
  button.addEventListener('click', async () => {
    const text = byId(button.dataset.copy).textContent;
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      const area = Object.assign(document.createElement('textarea'), { value: text });
      document.body.append(area);
      area.select();
      document.execCommand('copy');
      area.remove();
      button.focus();
    }
    button.textContent = 'Copied';
    setTimeout(() => { button.textContent = 'Copy'; }, 2000);
  });
}

/* Filter. */
const form = byId('filters');
const items = all('[data-clause], [data-finding]');
const holders = all('.fields tbody tr, .fields, .part').filter((holder) => holder.querySelector('[data-clause]'));
const words = new Map();
const textOf = (item) => {
  if (!words.has(item)) words.set(item, item.textContent.toLowerCase());
  return words.get(item);
};
const filter = () => {
  const data = new FormData(form);
  const wanted = ['verdict', 'level', 'area'].map((name) => [name, data.getAll(name)]).filter(([, values]) => values.length > 0);
  const parts = String(data.get('text') ?? '').toLowerCase().split(/\\s+/).filter(Boolean);
  let count = 0;
  for (const item of items) {
    item.hidden = !(wanted.every(([name, values]) => values.includes(item.dataset[name])) && parts.every((part) => textOf(item).includes(part)));
    if (!item.hidden) count += 1;
  }
  const filtered = wanted.length > 0 || parts.length > 0;
  for (const holder of holders) holder.hidden = filtered && !holder.querySelector('[data-clause]:not([hidden])');
  byId('filter-count').textContent = filtered ? count + ' of ' + items.length + ' findings and clauses shown' : items.length + ' findings and clauses';
};
if (form) {
  form.hidden = false;
  form.addEventListener('input', filter);
  form.addEventListener('submit', (event) => event.preventDefault());
  form.addEventListener('reset', () => setTimeout(filter));
  filter();
}

/* Follow links into what is closed or filtered away. */
const open = () => {
  const target = location.hash.length > 1 && byId(decodeURIComponent(location.hash.slice(1)));
  if (!target) return;
  if (target.closest('[hidden]') && form) {
    form.reset();
    filter();
  }
  for (let at = target; at; at = at.parentElement) if (at instanceof HTMLDetailsElement) at.open = true;
  const inner = target.querySelector(':scope > details');
  if (inner && target.dataset.clause === undefined && target.dataset.finding === undefined) inner.open = true;
  target.scrollIntoView();
};
addEventListener('hashchange', open);
document.addEventListener('click', (event) => {
  const link = event.target.closest?.('a[href^="#"]');
  if (link && link.hash === location.hash) open();
});
open();

/* Keys. */
const step = (by) => {
  const shown = all('[data-finding]').filter((item) => !item.hidden);
  if (shown.length === 0) return;
  const now = shown.indexOf(document.activeElement?.closest('[data-finding]'));
  const next = shown[Math.min(shown.length - 1, Math.max(0, now + by))];
  next.focus({ preventScroll: true });
  next.scrollIntoView();
};
addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const typing = event.target.closest?.('input[type=search], textarea');
  if (event.key === 'Escape' && form) {
    form.reset();
    filter();
    typing?.blur();
  }
  if (typing) return;
  if (event.key === '/' && form) {
    event.preventDefault();
    form.elements.text.focus();
  } else if (event.key === 'j') step(1);
  else if (event.key === 'k') step(-1);
});

/* On paper everything is open. */
let closed = [];
addEventListener('beforeprint', () => {
  closed = all('details:not([open])');
  for (const one of closed) one.open = true;
});
addEventListener('afterprint', () => {
  for (const one of closed) one.open = false;
});
`;
