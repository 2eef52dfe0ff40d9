/**
 * Observations: what a question on an open point was about, and what answered it. They are data until a reader sees them; the
 * one place that puts them into words is here.
 */
import type { ClauseId } from '../clauses/index.ts';
import { isRejection, type Outcome } from './outcome.ts';
import { firstNames, shortName } from '../util/truncate.ts';

/** What tells a question apart from others on the same open point: the field that was left out, or a few words. */
export type Question = string | { readonly without: string };

/** What became of a request: its outcome and HTTP status, null where there was none. */
export interface ReplyAnswer {
  readonly reply: Outcome;
  readonly status: number | null;
  /** True of a refusal with a 2xx, which has no `data`. */
  readonly withoutData?: true;
}

/** A latency in milliseconds, as the smallest of a few bounds that it keeps; null above the largest. */
export interface LatencyAnswer {
  readonly withinMs: number | null;
}

/** JSON pointers of members that the document does not name, `*` for indices, in one order. */
export interface MembersAnswer {
  readonly members: readonly string[];
}

/** An error body: its media type (null: none given), and its JSON with types in the place of values, or what else it is. */
export interface BodyAnswer {
  readonly mediaType: string | null;
  readonly body: { readonly outline: string } | 'text' | 'page' | 'none';
}

/** What answered a question; a text where the answer is nothing but words. */
export type ObservedAnswer = string | ReplyAnswer | LatencyAnswer | MembersAnswer | BodyAnswer;

/** One answer to one question that the document leaves open. */
export interface Seen {
  readonly point: ClauseId;
  readonly answer: ObservedAnswer;
  readonly question?: Question;
  /** Of a probe: its control. */
  readonly control?: string;
}

function wordsOf({ reply, withoutData }: ReplyAnswer): string {
  if (withoutData === true) return 'answered without data';
  if (reply === 'accepted') return reply;
  return isRejection({ outcome: reply }) ? 'refused' : reply === 'declined' ? 'answered false' : 'answered';
}

/** A question in words. */
export function renderQuestion(question: Question): string {
  return typeof question === 'string' ? question : `without ${question.without}`;
}

/** An answer in words. */
export function renderAnswer(answer: ObservedAnswer): string {
  if (typeof answer === 'string') return answer;
  if ('reply' in answer) return wordsOf(answer) + (answer.status === null ? '' : `, status ${answer.status}`);
  if ('withinMs' in answer) return answer.withinMs === null ? 'more than 10 seconds' : `within ${answer.withinMs} ms`;
  if ('members' in answer) return answer.members.length === 0 ? 'none' : firstNames(answer.members.map(shortName));
  const { mediaType, body } = answer;
  if (body === 'none') return 'no body';
  const label = mediaType ?? 'no label';
  return typeof body === 'object' ? `${label} ${body.outline}` : `${label}, ${body === 'page' ? 'a page' : body}`;
}
