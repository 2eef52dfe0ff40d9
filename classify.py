import re
def sub(p,*prs):
    s=open(p).read()
    for a,b in prs:
        assert a in s,(p,a)
        s=s.replace(a,b)
    open(p,'w').write(s)
# facts: the status beside the words
sub('openapi/model/facts.ts',("""  /** The status, or why there is none. */
  readonly what: string;
""","""  /** The status, or why there is none. */
  readonly what: string;
  /** Null where there was no answer. */
  readonly status: number | null;
"""))
sub('openapi/run-rules/answers.ts',("      what,\n      asked:","      what,\n      status: answer?.status ?? null,\n      asked:"))
sub('openapi/inference/bounds.ts',("""  (fact.how === 'refused' && !/ (?:401|403|404|408|409|429)$/.test(fact.what));
""","""  (fact.how === 'refused' && !notAboutValues.has(classify(fact.status)));
"""),("const turnedDown =","""/** Rejections that say nothing of the values that were sent. */
const notAboutValues = new Set<StatusClass>([
  'unauthorized',
  'forbidden',
  'not-found',
  'request-timeout',
  'conflict',
  'throttled',
]);
const turnedDown ="""),("import type { OperationId } from '../model/exchange.ts';","import type { OperationId } from '../model/exchange.ts';\nimport { classify, type StatusClass } from '../model/status-class.ts';"))
sub('openapi/inference/atms.ts',("fact.what !== 'status 429'","classify(fact.status) !== 'throttled'"))
s=open('openapi/inference/atms.ts').read()
m=list(re.finditer(r"^import .*;$",s,re.M))[-1]
s=s[:m.end()]+"\nimport { classify } from '../model/status-class.ts';"+s[m.end():]
open('openapi/inference/atms.ts','w').write(s)
sub('openapi/observer/index.ts',("if (answer.status === 429 || (answer.status === 503 && header(answer, 'retry-after') !== undefined))","if (classify(answer.status, header(answer, 'retry-after') !== undefined) === 'throttled')"))
s=open('openapi/observer/index.ts').read()
m=list(re.finditer(r"^import .*;$",s,re.M))[-1]
s=s[:m.end()]+"\nimport { classify } from '../model/status-class.ts';"+s[m.end():]
open('openapi/observer/index.ts','w').write(s)
# client
sub('fixtures/client/describe-reply.ts',("""/** True of an answer that only says to come again: it tells nothing of what was asked. */
export function isThrottled({ status, exchange: { answer } }: Reply): boolean {
  return status === 429 || (status === 503 && answer !== null && header(answer, 'retry-after') !== undefined);
}
""","""/** The class of a reply by its status. */
export function classifyReply({ status, exchange: { answer } }: Reply): StatusClass {
  return classify(status, answer !== null && header(answer, 'retry-after') !== undefined);
}

/** True of an answer that only says to come again: it says nothing about the request. */
export function isThrottled(reply: Reply): boolean {
  return classifyReply(reply) === 'throttled';
}
"""),("import { header } from '../../openapi/model/exchange.ts';","import { header } from '../../openapi/model/exchange.ts';\nimport { classify, type StatusClass } from '../../openapi/model/status-class.ts';"))
sub('fixtures/client/retry-on-conflict.ts',("""const passing = new Set([409, 423, 425]);

/** True of a refusal that speaks of the moment and not of the request (RFC 9110, 15.5.10). */
export function isTemporaryConflict({ status }: Reply): boolean {
  return status !== null && passing.has(status);
}
""","""/** True of a rejection that speaks of the moment and not of the request (RFC 9110, 15.5.10). */
export function isTemporaryConflict({ status }: Reply): boolean {
  return ['conflict', 'locked'].includes(classify(status));
}
"""),("import type { Reply } from './client.ts';","import { classify } from '../../openapi/model/status-class.ts';\nimport type { Reply } from './client.ts';"),
("/** Patience with what may pass: an application that is still open, a time that has to go by between two steps. */","/** Retries of requests in conflict with a state that passes: an open application, a delay required between two steps. */"),
("/** Milliseconds that are waited before something is asked once more. */\nconst waits =","const RETRY_DELAYS_MS ="),("of waits)","of RETRY_DELAYS_MS)"),
("/** Asks until what comes is good, a few times with time in between; the last that came. */","/** Asks until `isGood`, at most once after each delay; resolves to the last reply. */"))
sub('fixtures/client/created-resources.ts',("""/** True of a 4xx after which nothing can have been created, however late. */
export function isDefinitiveRejection({ status }: Reply): boolean {
  return status !== null && status >= 400 && status < 500 && status !== 408 && status !== 409 && status !== 429;
}
""","""/** True of a 4xx after which nothing can have been created, however late: not 408, 409 or 429. */
export function isDefinitiveRejection({ status }: Reply): boolean {
  if (status === null || status < 400 || status > 499) return false;
  return !['request-timeout', 'conflict', 'throttled'].includes(classify(status));
}
"""),("import type { Reply } from './client.ts';","import { classify } from '../../openapi/model/status-class.ts';\nimport type { Reply } from './client.ts';"))
sub('fixtures/probes/missing-fields.ts',("""  return outcome === 'refused' && ![401, 403, 408, 409, 429].includes(status ?? 0) ? false : null;
""","""  return outcome === 'refused' && !notAboutFields.has(classify(status)) ? false : null;
"""),("""/** Whether a probe was taken; null where its answer says nothing of the omission. */
function taken(""","""/** Rejections that say nothing about the field that was left out. */
const notAboutFields = new Set<StatusClass>(['unauthorized', 'forbidden', 'request-timeout', 'conflict', 'throttled']);

/** Whether a probe was accepted; null where its answer says nothing about the missing field. */
function isAccepted("""),("taken(reply) === null","isAccepted(reply) === null"),("taken(before) === taken(reply)","isAccepted(before) === isAccepted(reply)"),
("import type { OperationId } from '../../openapi/model/exchange.ts';","import type { OperationId } from '../../openapi/model/exchange.ts';\nimport { classify, type StatusClass } from '../../openapi/model/status-class.ts';"),
("/** What is left out of a request, one thing at a time, and whether the target minds it the same way every time. */","/** Probes that leave out one field or parameter each, and whether the target treats the same omission alike every time. */"))
sub('fixtures/probes/diagnose-rejection.ts',("""/** True of a refusal that may be about the form of the request. Credentials, load and broken targets are other matters. */
export function mayConcernForm({ outcome, status }: Reply): boolean {
  return outcome === 'refused' && status !== null && ![401, 408, 429].includes(status);
}

/** True of a target that looked at a decoy and would not have it, were it by breaking over it. Under load nothing is told. */
""","""/** True of a rejection that may be about the form of the request: 401, 408, 429, 5xx and no answer are about something else. */
export function mayConcernForm({ outcome, status }: Reply): boolean {
  return outcome === 'refused' && status !== null && !['unauthorized', 'request-timeout', 'throttled'].includes(classify(status));
}

/** True if the control mutation was rejected, including by a 500. 401, 408 and 429 prove nothing and give false. */
"""),("""/** Statuses that speak of the path or the method. */
const aboutAddress = new Set([404, 405, 501]);

""","""/** True of a status that speaks of the path or the method. */
const isAboutAddress = (status: number | null): boolean => ['not-found', 'no-such-method'].includes(classify(status));

"""),("aboutAddress.has(status)","isAboutAddress(status)"),("aboutAddress.has(refused.status ?? 0)","isAboutAddress(refused.status)"),
("import { operationIds } from '../../openapi/model/exchange.ts';","import { operationIds } from '../../openapi/model/exchange.ts';\nimport { classify } from '../../openapi/model/status-class.ts';"),
("asStranger","withoutCredentials"),("lookOf","fingerprint"),("isTurnedAway","isRejected"))
