/** Judges that an answer has the same content with gzip and without gzip. */
import { defineLevels, jsonBodySource } from '../../clauses/clause.ts';
import { renderDocumentedParts } from '../../history/list-records.ts';
import { getBodyText } from '../../model/exchange.ts';
import { truncate } from '../../util/truncate.ts';
import { broken, compared, kept, notTested } from '../behaviour.ts';
import { list, reply, type Judged } from '../evidence.ts';
import type { OperationId } from '../../model/exchange.ts';

/** The request must be sent this many times without gzip and with it, in turn, because a list may change meanwhile. */
export const MIN_CODING_ROUNDS = 3;

const TEXT = /"((?:[^"\\]|\\.)*)"/g;
const NOT_ASCII = /[^\0-\x7f]/;

const readContent = ({ operation, data }: Judged<OperationId>): string => renderDocumentedParts(operation, data);

/** Returns the first text of `answer` that `other` does not have. */
function findDifferentText(answer: Judged<OperationId>, otherAnswer: Judged<OperationId>): string {
  const texts = new Set(getBodyText(otherAnswer.exchange.answer).match(TEXT));
  const text = getBodyText(answer.exchange.answer)
    .match(TEXT)
    ?.find((candidate) => !texts.has(candidate));
  return text === undefined ? 'another content' : truncate(text);
}

/** `answers`: the same request without gzip (`control`) and with it, in turn. */
export const sameInEachCoding = compared({
  id: 'service.content-coding.same',
  clause: defineLevels('service').expected(
    jsonBodySource,
    'An answer with letters beyond ASCII has the same content with gzip and without it.',
  ),
  control: 'The answer without gzip has letters beyond ASCII, and is the same each time.',
  evidence: { answers: list({ probe: reply(), control: reply() }) },
  judge({ answers }) {
    const last = answers.at(-1);
    if (last === undefined || !answers.every(({ control }) => control.accepted))
      return notTested('the bank did not accept the request without gzip');
    if (!answers.every(({ probe }) => probe.accepted)) return notTested('the answer with gzip is not readable');
    const { probe, control } = last;
    if (!NOT_ASCII.test(readContent(control))) return notTested('no answer has letters beyond ASCII');
    if (readContent(probe) === readContent(control)) return kept(probe, { contrast: control });
    if (answers.length < MIN_CODING_ROUNDS) return notTested('the answers were compared too seldom');
    const areControlsEqual = answers.every((answer) => readContent(answer.control) === readContent(control));
    const areProbesDifferent = answers.every((answer) => readContent(answer.probe) !== readContent(control));
    if (!areControlsEqual || !areProbesDifferent) return notTested('two answers in the same coding differ too');
    return broken(probe, {
      pointer: 'response/body',
      expected: `the same content as without Accept-Encoding: gzip, such as ${findDifferentText(control, probe)}`,
      received: findDifferentText(probe, control),
      contrast: control,
    });
  },
});
