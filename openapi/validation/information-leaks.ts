/** What an error body must not show to strangers. */
import { truncate } from '../util/truncate.ts';
import { memoizeByText } from '../util/memoize.ts';

const traces: readonly RegExp[] = [
  /\bat [\w$.<>]+ ?\([^)\s]+\.(?:java|kt|scala|cs|js|ts|mjs|go|py|rb):\d+/, // JVM, Node
  /\bat (?:async )?[\w$.<> ]*\(?(?:file:\/\/)?\/[\w./@-]+:\d+:\d+\)?/, // Node
  /\b(?:[a-z][\w$]*\.){2,}[A-Z]\w*(?:Exception|Error)\b[^\n]*\n\s*at /, // Java
  /Traceback \(most recent call last\)/,
  /File "[^"]+", line \d+/,
  /\bgoroutine \d+ \[/,
  /\b[\w/-]+\.rb:\d+:in\b/, // Ruby
  /\bpanicked at [\w./-]+\.rs:\d+/, // Rust
  /\bSystem\.[A-Z]\w*Exception\b/,
  /\bORA-\d{5}\b|\bSQLSTATE\b|\bPSQLException\b|\bSQLException\b|You have an error in your SQL syntax/,
  /\b(?:syntax error at or near|duplicate key value violates|relation "[^"]+" does not exist|violates (?:foreign key|unique|check|not-null) constraint)/,
  /\b(?:Incorrect syntax near '|Unclosed quotation mark after|Conversion failed when converting the \w+ value)/, // SQL Server
  /\bMongo\w*Error\b|\bE11000 duplicate key\b|\bSQLITE_[A-Z]{4,}\b/,
  /\b(?:SELECT\s.+\sFROM\s|INSERT\s+INTO\s|UPDATE\s+\w+\s+SET\s|DELETE\s+FROM\s)/,
  /\bselect\s[\w\s.,*]+\sfrom\s+[\w.]+\s+where\s+[\w.]+\s*(?:=|<|>|in\b|like\b)/i,
  /(?:^|[\s"'(])\/(?:usr|var|opt|home|etc|srv|root|app)\/(?:[\w.-]+\/)*[\w-]+\.[a-z]{1,5}\b/,
  /\b[A-Za-z]:\\{1,2}(?:[\w .-]+\\{1,2})+[\w.-]+/,
];

const escaped: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };

/** The first trace of the inside of the target in `text`, also within the texts of JSON, quoted; null where there is none. */
export const findInformationLeak = memoizeByText((text: string): string | null => {
  const head = text.slice(0, 20_000);
  const read = head.replace(/\\(["\\/nrt])/g, (_, letter: string) => escaped[letter] ?? letter);
  for (const trace of traces) {
    const found = trace.exec(head) ?? trace.exec(read);
    if (found !== null) return truncate(found[0].trim());
  }
  return null;
});
