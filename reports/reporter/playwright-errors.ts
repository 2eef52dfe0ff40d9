/** What Playwright reports as an error, told apart: faults of the configuration, of the suite, and time that ran out. */
import { stripVTControlCharacters } from 'node:util';
import { visible } from '../text/sanitize.ts';

/** The beginning of an error message that a global set-up throws if the configuration is at fault. */
const CONFIGURATION = 'Configuration:';
/** Lines and characters of a message. */
const [MAX_LINES, MAX_CHARACTERS] = [12, 4_000];

interface ErrorLike {
  readonly message?: string;
  readonly stack?: string;
  readonly value?: string;
  readonly location?: { readonly file: string; readonly line: number };
}

/** A text without colours and without the name of its error. */
const plain = (text = ''): string =>
  stripVTControlCharacters(text)
    .replace(/^(?:[A-Z]\w*)?Error: /, '')
    .trim();

/** The message of an error as plain text, with the place in the suite where it was thrown. */
export function messageOf({ message, value, stack, location }: ErrorLike): string {
  const text = visible(plain(message ?? value ?? stack ?? 'an error without a message'));
  const [first = '', ...more] = text.split('\n').slice(0, MAX_LINES);
  const at = location ? ` (${location.file}:${location.line})` : '';
  return [`${first}${at}`, ...more].join('\n').slice(0, MAX_CHARACTERS);
}

/** What is wrong with the configuration, in one paragraph, or null if the error says nothing of it. */
export function configurationFault({ message }: ErrorLike): string | null {
  const text = plain(message);
  if (!text.startsWith(CONFIGURATION)) return null;
  const [paragraph = ''] = text
    .slice(CONFIGURATION.length)
    .trim()
    .split(/\n\s*\n|\n\s+at /);
  return visible(paragraph.replace(/\s+/g, ' ').trim());
}

/** What is said where -g, a file or a tag leaves nothing to run, or null; a file that cannot be loaded has an error of its own too. */
export const selectionFault = ({ message }: ErrorLike): string | null =>
  plain(message).startsWith('No tests found')
    ? 'The command line selects no scenario: npx playwright test --list --project=conformance lists them all.'
    : null;

/** True if the error only says that the time of the whole run was up; that is an interruption. */
export const isTimeUp = ({ message }: ErrorLike): boolean =>
  /^Timed out waiting [\d.]+s for the .* to run/.test(plain(message));
