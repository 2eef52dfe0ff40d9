/** Defines questions about open points and their answers as data, and turns them into text. */
import type { ClauseId } from '../clauses/index.ts';
import { isRejection, type Outcome } from './outcome.ts';
import { listFirstNames, shortenName } from '../util/truncate.ts';

/** One question of an open point that has several questions: a short text, or the field that the request left out. */
export type Question = string | { readonly without: string };

export interface ReplyAnswer {
  readonly reply: Outcome;
  readonly status: number | null;
  readonly withoutData?: true;
}

/** A latency, as the smallest bound that is not exceeded, in milliseconds; null if the latency exceeds all bounds. */
interface LatencyAnswer {
  readonly withinMs: number | null;
}

export interface MembersAnswer {
  readonly members: readonly string[];
}

/** An error body: its media type (null if there is none), and its JSON with types instead of values, or its form. */
export interface BodyAnswer {
  readonly mediaType: string | null;
  readonly body: { readonly outline: string } | 'text' | 'page' | 'none';
}

export type ObservedAnswer = string | ReplyAnswer | LatencyAnswer | MembersAnswer | BodyAnswer;

/** One answer to one question about an open point. */
export interface OpenPointAnswer {
  readonly point: ClauseId;
  readonly answer: ObservedAnswer;
  readonly question?: Question;
  readonly control?: string;
}

function describeReply({ reply, withoutData }: ReplyAnswer): string {
  if (withoutData === true) return 'answered without data';
  if (reply === 'accepted') return reply;
  if (isRejection({ outcome: reply })) return 'refused';
  return reply === 'declined' ? 'answered false' : 'answered';
}

export function renderQuestion(question: Question): string {
  return typeof question === 'string' ? question : `without ${question.without}`;
}

export function renderAnswer(answer: ObservedAnswer): string {
  if (typeof answer === 'string') return answer;
  if ('reply' in answer) return describeReply(answer) + (answer.status === null ? '' : `, status ${answer.status}`);
  if ('withinMs' in answer) return answer.withinMs === null ? 'more than 10 seconds' : `within ${answer.withinMs} ms`;
  if ('members' in answer)
    return answer.members.length === 0 ? 'none' : listFirstNames(answer.members.map(shortenName));
  const { mediaType, body } = answer;
  if (body === 'none') return 'no body';
  const label = mediaType ?? 'no label';
  return typeof body === 'object' ? `${label} ${body.outline}` : `${label}, ${body === 'page' ? 'a page' : body}`;
}
