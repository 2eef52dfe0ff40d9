/** Finds internal details that an error body must not show. */
import { truncate } from '../util/truncate.ts';
import { memoizeByText } from '../util/memoize.ts';

/** Match stack traces, SQL and file paths. Every quantifier has a limit, so that the search takes linear time. */
const LEAK_PATTERNS: readonly RegExp[] = [
  /\bat [\w$.<>]{1,120} ?\([^)\s]{1,200}\.(?:java|kt|scala|cs|js|ts|mjs|go|py|rb):\d/, // JVM, Node
  /\bat (?:async )?[\w$.<> ]{0,80}\(?(?:file:\/\/)?\/[\w./@-]{1,200}:\d{1,7}:\d/, // Node
  /\b(?:[a-z][\w$]{0,40}\.){2,8}[A-Z]\w{0,60}(?:Exception|Error)\b[^\n]{0,300}\n[^\S\n]{0,40}at /, // Java
  /Traceback \(most recent call last\)/,
  /File "[^"\n]{1,200}", line \d/,
  /\bgoroutine \d{1,12} \[/,
  /[\w/-]{1,60}\.rb:\d{1,7}:in\b/, // Ruby
  /\bpanicked at [\w./-]{1,200}\.rs:\d/, // Rust
  /#\d{1,3} [^\s:(]{1,200}\.php\(\d{1,7}\)|\.php(?:<\/b>)? on line (?:<b>)?\d/, // PHP
  /\bat [\w./-]{1,200}\.(?:p[lm]|psgi) line \d|\b(?:HASH|ARRAY|CODE)\(0x[\da-f]{4,16}\)/, // Perl
  /\{file,\s{0,4}"[^"\n]{1,200}"\},\s{0,4}\{line,\s{0,4}\d/, // Erlang
  /\*\* \([A-Z][\w.]{0,120}Error\)|\blib\/[\w./-]{1,200}\.exs?:\d/, // Elixir
  /\bSystem\.[A-Z]\w{0,60}Exception\b/,
  /\bORA-\d{5}\b|\bSQLSTATE\b|\bPSQLException\b|\bSQLException\b|You have an error in your SQL syntax/,
  /\b(?:syntax error at or near|duplicate key value violates|relation "[^"\n]{1,120}" does not exist|violates (?:foreign key|unique|check|not-null) constraint)/,
  /\b(?:Incorrect syntax near '|Unclosed quotation mark after|Conversion failed when converting the \w{1,60} value)/, // SQL Server
  /\bSQL \[[^\]\n]{1,300}\]|\bnested exception is (?:[a-z]\w{0,40}\.){2,8}[A-Z]/, // Spring, Hibernate
  /\bMongo\w{0,60}Error\b|\bE11000 duplicate key\b|\bSQLITE_[A-Z]{4}/,
  // A normal sentence may have the same words: an SQL query must have several columns or a condition.
  /\bSELECT\s(?:\S{0,60}?[*_,.(].{0,300}?\sFROM\s|.{1,300}?\sFROM\s{1,4}\S{1,120}\s{1,4}WHERE\s)/,
  /\b(?:INSERT\s{1,10}INTO\s|UPDATE\s{1,10}\w{1,60}\s{1,10}SET\s|DELETE\s{1,10}FROM\s)/,
  /\bselect\s[\w\s.,*]{1,300}?\sfrom\s{1,4}[\w.]{1,60}\s{1,4}where\s{1,4}[\w.]{1,60}\s{0,4}(?:=|<|>|in\b|like\b)/i,
  /(?:^|[\s(]|(?<!\b(?:href|src|action|content)\s?=\s?\\?)["'])\/(?:usr|var|opt|home|etc|srv|root|app)\/(?:[\w.-]{1,60}\/){0,12}[\w-]{1,60}(?:\.[\w-]{1,40}){0,3}\.(?:[a-z]{1,5}|properties)\b/,
  /\b[A-Za-z]:\\{1,2}(?:[\w .-]{1,60}\\{1,2}){1,12}[\w.-]/,
];

const MAX_SEARCHED_CHARACTERS = 20_000;

const CHARACTER_BY_ESCAPE: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };

/** Finds the first internal detail in `text`, also inside JSON strings; null if there is none. */
export const findInformationLeak = memoizeByText((text: string): string | null => {
  const searchedText = text.slice(0, MAX_SEARCHED_CHARACTERS);
  const unescapedText = searchedText.replace(
    /\\(["\\/nrt])/g,
    (_, letter: string) => CHARACTER_BY_ESCAPE[letter] ?? letter,
  );
  for (const pattern of LEAK_PATTERNS) {
    const match = pattern.exec(searchedText) ?? pattern.exec(unescapedText);
    if (match !== null) return truncate(completeMatch(match).trim());
  }
  return null;
});

/** Returns the matched text, and behind it the end of a path or a line number that the match cuts off. */
function completeMatch({ 0: match, index, input }: RegExpExecArray): string {
  const lineEnd = input.indexOf('\n', index + match.length);
  const restOfLine = input.slice(index + match.length, lineEnd < 0 ? undefined : lineEnd);
  return match + (/^[\w./:@-]*\)?/.exec(restOfLine)?.[0] ?? '');
}
