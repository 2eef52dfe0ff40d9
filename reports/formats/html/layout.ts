/** What all pages of a report have in common: head, policy, style, scripts. */
import { createHash } from 'node:crypto';
import { html, rawHtml } from './markup.ts';
import type { Markup } from './markup.ts';
import { pictureStyle } from './pictures/style.ts';
import { style } from './style.ts';

export interface Layout {
  readonly title: string;
  readonly body: Markup;
  readonly skip?: { readonly to: string; readonly text: string };
  /** Scripts of the suite's own making, in their order. */
  readonly scripts?: readonly string[];
  /** Blocks of data, which no browser runs. */
  readonly data?: Markup | null;
}

const hash = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** A page. Only its own scripts may run, nothing may be compiled and nothing fetched. */
export function layout({ title, body, skip, scripts = [], data = null }: Layout): string {
  const used = scripts.filter((text) => text !== '');
  const policy = `default-src 'none'; style-src 'unsafe-inline'; script-src ${used.length > 0 ? used.map(hash).join(' ') : "'none'"}; base-uri 'none'; form-action 'none'`;
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${policy}" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title}</title>
        <style>
          ${rawHtml(style)}${rawHtml(pictureStyle)}
        </style>
      </head>
      <body>
        ${skip === undefined ? '' : html`<a class="skip" href="#${skip.to}">${skip.text}</a>`}
        <main class="page">${body}</main>
        ${data}${used.map(
          (text) =>
            html`<script>
              ${rawHtml(text)};
            </script>`,
        )}
      </body>
    </html> `.toString();
}
