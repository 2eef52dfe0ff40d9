/** The script of the page. Without the script, the page also shows everything. */

export const CLIENT_SCRIPT = `'use strict';
const byId = (id) => document.getElementById(id);
const findAll = (selector) => [...document.querySelectorAll(selector)];

/* Copy. The Clipboard API refuses pages from files. */
for (const button of findAll('button[data-copy]')) {
  button.hidden = false;
  button.addEventListener('click', () => {
    getSelection().selectAllChildren(byId(button.dataset.copy));
    document.execCommand('copy');
    button.textContent = 'Copied';
    setTimeout(() => { button.textContent = 'Copy'; }, 2000);
  });
}

/* Filter. Opens the parts with a match and hides the other parts. Without a filter, all parts are as before. */
const form = byId('filters');
const items = findAll('[data-item]');
const holders = findAll('details.fold, tbody').filter((holder) => holder.querySelector('[data-item]'));
let openedBefore = null;
const filter = () => {
  const words = form.elements.text.value.toLowerCase().split(/\\s+/).filter(Boolean);
  const filtered = words.length > 0;
  for (const item of items) {
    item.text ??= item.textContent.toLowerCase();
    item.hidden = !words.every((word) => item.text.includes(word));
  }
  openedBefore ??= filtered ? new Set(holders.filter((holder) => holder.open)) : null;
  for (const holder of holders) {
    holder.hidden = filtered && !holder.querySelector('[data-item]:not([hidden])');
    if (openedBefore) holder.open = filtered ? !holder.hidden : openedBefore.has(holder);
  }
  if (!filtered) openedBefore = null;
  byId('filter-count').textContent = filtered ? items.filter((item) => !item.hidden).length + ' of ' + items.length : '';
  form.querySelector('[type=reset]').hidden = !filtered;
};
form.hidden = false;
form.addEventListener('input', filter);
form.addEventListener('submit', (event) => event.preventDefault());
form.addEventListener('reset', () => setTimeout(filter));
addEventListener('keydown', (event) => {
  if (event.key === 'Escape') {
    form.reset();
    form.elements.text.blur();
  }
  if (event.key !== '/' || event.target.closest?.('input')) return;
  event.preventDefault();
  form.elements.text.focus();
});

/* Links. If the target is closed or hidden by the filter, opens or shows it. */
const showTarget = () => {
  const target = location.hash.length > 1 && byId(decodeURIComponent(location.hash.slice(1)));
  if (!target) return;
  if (target.closest('[hidden]')) {
    form.reset();
    filter();
  }
  for (let element = target; element; element = element.parentElement)
    if (element instanceof HTMLDetailsElement) element.open = true;
  const inner = target.querySelector(':scope > details');
  if (inner && (target.dataset.item === undefined || target.matches('article'))) inner.open = true;
  target.scrollIntoView();
};
addEventListener('hashchange', showTarget);
document.addEventListener('click', (event) => {
  const link = event.target.closest?.('a[href^="#"]');
  if (link && link.hash === location.hash) showTarget();
});
showTarget();
`;
