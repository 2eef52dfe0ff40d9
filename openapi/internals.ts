/** What an error body must not show to strangers. */
import { quote } from './quote.ts';

const traces: readonly RegExp[] = [
  /\bat [\w$.<>]+ ?\([^)\s]+\.(?:java|kt|scala|cs|js|ts|mjs|go|py|rb):\d+/, // JVM, Node
  /\bat (?:async )?[\w$.<> ]*\(?(?:file:\/\/)?\/[\w./@-]+:\d+:\d+\)?/, // Node
  /\b(?:[a-z][\w$]*\.){2,}[A-Z]\w*(?:Exception|Error)\b[^\n]*\n\s*at /, // Java
  /Traceback \(most recent call last\)/,
  /File "[^"]+", line \d+/,
  /\bgoroutine \d+ \[/,
  /\bSystem\.[A-Z]\w*Exception\b/,
  /\bORA-\d{5}\b|\bSQLSTATE\b|\bPSQLException\b|\bSQLException\b|You have an error in your SQL syntax/,
  /\b(?:syntax error at or near|duplicate key value violates|relation "[^"]+" does not exist)/,
  /\b(?:SELECT\s.+\sFROM\s|INSERT\s+INTO\s|UPDATE\s+\w+\s+SET\s|DELETE\s+FROM\s)/,
  /(?:^|[\s"'(])\/(?:usr|var|opt|home|etc|srv|root|app)\/(?:[\w.-]+\/)*[\w-]+\.[a-z]{1,5}\b/,
  /\b[A-Za-z]:\\{1,2}(?:[\w .-]+\\{1,2})+[\w.-]+/,
];

/** The first trace of the inside of the target in `text`, quoted; null where there is none. */
export function internalsIn(text: string): string | null {
  const head = text.slice(0, 20_000);
  for (const trace of traces) {
    const found = trace.exec(head);
    if (found !== null) return quote(found[0].trim());
  }
  return null;
}
