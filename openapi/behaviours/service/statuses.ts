/** Judges that the same request in the same state gets the same success status. */
import { defineLevels, citeSection } from '../../clauses/clause.ts';
import { isAnswered } from '../../model/outcome.ts';
import { findPreviousStep, isRepeatable, type OperationId } from '../../api.ts';
import { groupBy } from '../../util/group-by.ts';
import { mergeBroken } from '../agreement.ts';
import { kept, notTested, ofRun, type Verdict } from '../behaviour.ts';
import type { Inference } from '../../model/finding.ts';
import type { Run, RunRecord } from '../../model/record.ts';

type Answer = RunRecord<'answers'>;

interface AcceptedAnswer {
  readonly answer: Answer;
  readonly status: string;
  /** A text that is equal for two equal requests in the same state. */
  readonly key: string;
}

/** Returns the accepted answers with their keys. For a request that changes an application, only the first answer counts. */
function listStatuses(answers: readonly Answer[]): readonly AcceptedAnswer[] {
  const operationsBySubject = new Map<string, ReadonlySet<OperationId>>();
  return answers.flatMap((answer): AcceptedAnswer[] => {
    const { operation, outcome, what, asked, subject = '', state = '' } = answer;
    if (!isAnswered(answer)) return [];
    const earlierOperations = operationsBySubject.get(subject) ?? new Set();
    if (subject !== '') operationsBySubject.set(subject, new Set([...earlierOperations, operation]));
    if (!isRepeatable(operation) && earlierOperations.has(operation)) return [];
    // The state of an application depends on its earlier requests.
    const earlierSteps = findPreviousStep(operation) === undefined ? '' : [...earlierOperations].sort().join(' ');
    const key = JSON.stringify([operation, Object.entries(asked).sort(), outcome, state, earlierSteps]);
    return [{ answer, status: what, key }];
  });
}

export const statusConsistent = ofRun({
  id: 'service.status.consistent',
  clause: defineLevels('service').expected(
    citeSection('Endpoints', 'gap 1'),
    'Identical successful requests in the same state get the same status.',
  ),
  control: 'The same request is accepted twice in the same state.',
  judge({ answers }) {
    const answersOfRepeatedRequests = [...groupBy(listStatuses(answers), ({ key }) => key).values()].filter(
      (sameRequest) => sameRequest.length > 1,
    );
    if (answersOfRepeatedRequests.length === 0) return [notTested('no request was accepted twice in the same state')];
    return answersOfRepeatedRequests.flatMap((sameRequest): readonly Verdict[] => {
      const tested = kept(sameRequest[0].answer, { count: sameRequest.length - 1 });
      const [first] = sameRequest;
      const differentAnswers = sameRequest.filter(({ status }) => status !== first.status);
      return [
        tested,
        ...mergeBroken(
          differentAnswers.map(({ answer, status }) => ({ answer, contrast: first.answer, status })),
          ({ status }) => ({ expected: `${first.status}, as for the same request before`, received: status }),
        ),
      ];
    });
  },
});

/** Returns the inputs on which the status depends: all answers with the same value of the input have the same status. */
function findDecidingInputs(answers: readonly AcceptedAnswer[]): readonly string[] {
  const names = new Set(answers.flatMap(({ answer }) => Object.keys(answer.asked)));
  const possibleReasons: { readonly name: string; readonly read: (answer: Answer) => string }[] = [
    { name: 'what the answer says of itself', read: ({ outcome }) => outcome },
    { name: 'the outcome given', read: ({ state = '' }) => state },
    ...[...names].map((name) => ({ name, read: ({ asked }: Answer) => asked[name] ?? '' })),
  ];
  return possibleReasons.flatMap(({ name, read }) => {
    const groups = [...groupBy(answers, ({ answer }) => read(answer)).values()];
    const distinguishesEnough = groups.length > 1 && groups.length * 2 <= answers.length;
    const hasOneStatus = (group: readonly AcceptedAnswer[]): boolean =>
      new Set(group.map(({ status }) => status)).size === 1;
    return distinguishesEnough && groups.every(hasOneStatus) ? [name] : [];
  });
}

/** Reports on what the success status of an operation depends, if the operation has several. */
export function inferStatuses({ answers: runAnswers }: Run): readonly Inference[] {
  return [...groupBy(listStatuses(runAnswers), ({ answer }) => answer.operation)].flatMap(
    ([operation, answers]): Inference[] => {
      const answersByStatus = [...groupBy(answers, ({ status }) => status).values()];
      if (answersByStatus.length < 2) return [];
      const inputs = findDecidingInputs(answers);
      const answer =
        inputs.length === 0 ? 'nothing that one input of the requests decides' : inputs.slice(0, 4).join(', or ');
      const subject = { point: 'service.success-status', operation, question: 'what it varies by', answer } as const;
      return [
        { ...subject, count: answers.length, exchanges: answersByStatus.map(([first]) => first.answer.exchange) },
      ];
    },
  );
}
