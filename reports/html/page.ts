/** The report as one page. */
import { html } from 'hono/html';
import type { Report } from '../report.ts';

/** Renders the report as one self-contained page. */
export function renderHtml(report: Report): string {
  return String(html`<!doctype html><title>${report.headline}</title><h1>${report.headline}</h1>`);
}
