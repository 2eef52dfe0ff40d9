/** Distinguishes errors from Playwright: faults of the configuration, faults of the suite, and time-outs of the run. */
import { stripVTControlCharacters } from 'node:util';
import { escapeHarmful } from '../text/sanitize.ts';

/** The beginning of the error message of the global set-up if the configuration is wrong. */
const CONFIGURATION_PREFIX = 'Configuration:';
const MAX_LINES = 12;
const MAX_CHARACTERS = 4_000;

interface ErrorLike {
  readonly message?: string;
  readonly stack?: string;
  readonly value?: string;
  readonly location?: { readonly file: string; readonly line: number };
}

const removeColours = (text = ''): string =>
  stripVTControlCharacters(text)
    .replace(/^(?:[A-Z]\w*)?Error: /, '')
    .trim();

/** Returns the message of an error as plain text, with the position in the suite. */
export function getErrorMessage({ message, value, stack, location }: ErrorLike): string {
  const text = escapeHarmful(removeColours(message ?? value ?? stack ?? 'an error without a message'));
  const [firstLine = '', ...furtherLines] = text.split('\n').slice(0, MAX_LINES);
  const place = location ? ` (${location.file}:${location.line})` : '';
  return [`${firstLine}${place}`, ...furtherLines].join('\n').slice(0, MAX_CHARACTERS);
}

/** Returns the fault of the configuration in one paragraph; null if the error has another reason. */
export function findConfigurationFault({ message }: ErrorLike): string | null {
  const text = removeColours(message);
  if (!text.startsWith(CONFIGURATION_PREFIX)) return null;
  const [paragraph = ''] = text
    .slice(CONFIGURATION_PREFIX.length)
    .trim()
    .split(/\n\s*\n|\n\s+at /);
  return escapeHarmful(paragraph.replace(/\s+/g, ' ').trim());
}

/** Returns a sentence if -g, a file or a tag selects no scenario; null for all other errors. */
export const findSelectionFault = ({ message }: ErrorLike): string | null =>
  removeColours(message).startsWith('No tests found')
    ? 'The command line selects no scenario: npx playwright test --list --project=conformance lists them all.'
    : null;

/** True if the error says that the run reached its time limit. This counts as an interruption. */
export const isRunTimeOut = ({ message }: ErrorLike): boolean =>
  /^Timed out waiting [\d.]+s for the .* to run/.test(removeColours(message));
