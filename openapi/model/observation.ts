/** Observations: questions on open points, and their answers. They are data; only this file puts them into words. */
import type { ClauseId } from '../clauses/index.ts';
import { isRejection, type Outcome } from './outcome.ts';
import { firstNames, shortName } from '../util/truncate.ts';

/** The question, where an open point has several: the field that was left out, or a few words. */
export type Question = string | { readonly without: string };

/** The outcome and the HTTP status of a request; null without an answer. */
export interface ReplyAnswer {
  readonly reply: Outcome;
  readonly status: number | null;
  /** True for a refusal with a 2xx and without `data`. */
  readonly withoutData?: true;
}

/** A latency, as the smallest of a few bounds in milliseconds; null above all of them. */
export interface LatencyAnswer {
  readonly withinMs: number | null;
}

/** JSON pointers of undocumented members with `*` for indices, in one order. */
export interface MembersAnswer {
  readonly members: readonly string[];
}

/** An error body: its media type (null: none given), and its JSON with types instead of values, or what else it is. */
export interface BodyAnswer {
  readonly mediaType: string | null;
  readonly body: { readonly outline: string } | 'text' | 'page' | 'none';
}

/** The answer to a question; a text where it is only words. */
export type ObservedAnswer = string | ReplyAnswer | LatencyAnswer | MembersAnswer | BodyAnswer;

/** One answer to one question that the document leaves open. */
export interface Seen {
  readonly point: ClauseId;
  readonly answer: ObservedAnswer;
  readonly question?: Question;
  /** The control of a probe. */
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
