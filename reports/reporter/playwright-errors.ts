/** What Playwright reports as an error, told apart: faults of the configuration, of the suite, and time that ran out. */
import { stripVTControlCharacters } from 'node:util';
import { visible } from '../text/sanitize.ts';

/** The beginning of an error message that a global set-up throws where the configuration is at fault. */
const configurationMark = 'Configuration:';

interface ErrorLike {
  readonly message?: string;
  readonly stack?: string;
  readonly value?: string;
  readonly location?: { readonly file: string; readonly line: number };
}

/** The message of an error as plain text, with the place in the suite where it was thrown. */
export function messageOf(error: ErrorLike): string {
  const text = visible(
    stripVTControlCharacters(error.message ?? error.value ?? error.stack ?? 'an error without a message'),
  );
  const lines = text
    .replace(/^(?:[A-Z]\w*)?Error: /, '')
    .trim()
    .split('\n')
    .slice(0, 12);
  const at = error.location ? ` (${error.location.file}:${error.location.line})` : '';
  return `${lines[0] ?? ''}${at}${lines.length > 1 ? `\n${lines.slice(1).join('\n')}` : ''}`.slice(0, 4_000);
}

/** What is wrong with the configuration, in one paragraph, or null where the error says nothing of it. */
export function configurationFault(error: ErrorLike): string | null {
  const text = stripVTControlCharacters(error.message ?? '')
    .replace(/^(?:[A-Z]\w*)?Error: /, '')
    .trimStart();
  if (!text.startsWith(configurationMark)) return null;
  const [paragraph = ''] = text
    .slice(configurationMark.length)
    .trim()
    .split(/\n\s*\n|\n\s+at /);
  return visible(paragraph.replace(/\s+/g, ' ').trim());
}

/** What is said where -g, a file or a tag leaves nothing to run, or null; a file that cannot be loaded has an error of its own too. */
export function selectionFault(error: ErrorLike): string | null {
  return /^(?:Error: )?No tests found/.test(stripVTControlCharacters(error.message ?? ''))
    ? 'The command line selects no scenario: npx playwright test --list --project=conformance lists them all.'
    : null;
}

/** True where the error only says that the time of the whole run was up; that is an interruption. */
export function isTimeUp(error: ErrorLike): boolean {
  return /^Timed out waiting [\d.]+s for the .* to run/.test(stripVTControlCharacters(error.message ?? ''));
}
