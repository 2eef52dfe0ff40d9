/** Makes the common parts of all pages: head, content security policy, style, script. */
import { createHash } from 'node:crypto';
import { html, rawHtml, type Markup } from './markup.ts';
import { PAGE_STYLE } from './style.ts';

interface Layout {
  readonly title: string;
  readonly body: Markup;
  readonly skip?: { readonly to: string; readonly text: string };
  /** A script of the suite. */
  readonly script?: string;
}

const hashForPolicy = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Makes a page. Only its own script may run, and the page may not compile code or load anything. */
export function renderLayout({ title, body, skip, script }: Layout): string {
  const policy = `default-src 'none'; style-src 'unsafe-inline'; script-src ${script === undefined ? "'none'" : hashForPolicy(script)}; base-uri 'none'; form-action 'none'`;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>${rawHtml(PAGE_STYLE)}</style>
</head>
<body>
${skip === undefined ? '' : html`<a class="skip" href="#${skip.to}">${skip.text}</a>`}
<main class="page">
${body}
</main>
${script === undefined ? '' : html`<script>${rawHtml(script)}</script>`}
</body>
</html>
`.toString();
}
