/** The script of the page. Without the script, the page still shows everything. */
import { TRIAGE_SCRIPT } from './triage-script.ts';

export const CLIENT_SCRIPT = `'use strict';
const byId = (id) => document.getElementById(id);
const all = (selector, within = document) => [...within.querySelectorAll(selector)];

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

/* Filter. Parts with a match are open, parts without one are hidden; later all is as before. */
const form = byId('filters');
const items = all('[data-item]');
const holders = all('details.fold, tbody').filter((holder) => holder.querySelector('[data-item]'));
const words = new Map();
const textOf = (item) => {
  if (!words.has(item)) words.set(item, item.textContent.toLowerCase());
  return words.get(item);
};
let opened = null;
const filter = () => {
  const data = new FormData(form);
  const wanted = ['verdict', 'level', 'area'].map((name) => [name, data.getAll(name)]).filter(([, values]) => values.length > 0);
  const parts = String(data.get('text') ?? '').toLowerCase().split(/\\s+/).filter(Boolean);
  const filtered = wanted.length > 0 || parts.length > 0;
  let count = 0;
  for (const item of items) {
    item.hidden = !(wanted.every(([name, values]) => values.includes(item.dataset[name])) && parts.every((part) => textOf(item).includes(part)));
    if (!item.hidden) count += 1;
  }
  opened ??= filtered ? new Set(holders.filter((holder) => holder.open)) : null;
  for (const holder of holders) {
    holder.hidden = filtered && !holder.querySelector('[data-item]:not([hidden])');
    if (opened) holder.open = filtered ? !holder.hidden : opened.has(holder);
  }
  if (!filtered) opened = null;
  byId('filter-count').textContent = filtered ? count + ' of ' + items.length : '';
  form.querySelector('[type=reset]').hidden = !filtered;
};
form.hidden = false;
form.addEventListener('input', filter);
form.addEventListener('submit', (event) => {
  event.preventDefault();
  go(items.find((item) => !item.hidden));
});
form.addEventListener('reset', () => setTimeout(filter));

const go = (item) => {
  item?.focus({ preventScroll: true });
  item?.scrollIntoView();
};

/* Follow links into what is closed or filtered away. */
const open = () => {
  const target = location.hash.length > 1 && byId(decodeURIComponent(location.hash.slice(1)));
  if (!target) return;
  if (target.closest('[hidden]')) {
    form.reset();
    filter();
  }
  for (let at = target; at; at = at.parentElement) if (at instanceof HTMLDetailsElement) at.open = true;
  const inner = target.querySelector(':scope > details');
  if (inner && target.dataset.item === undefined) inner.open = true;
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
  go(shown[Math.min(shown.length - 1, Math.max(0, now + by))]);
};
addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const typing = event.target.closest?.('input:not([type=checkbox])');
  if (event.key === 'Escape') {
    form.reset();
    filter();
    typing?.blur();
  }
  if (typing) return;
  if (event.key === '/') {
    event.preventDefault();
    form.elements.text.focus();
  } else if (event.key === 'j') step(1);
  else if (event.key === 'k') step(-1);
});
${TRIAGE_SCRIPT}`;
