/** Tests the clauses about answers to invalid requests. */
import {
  probesRefusedByStatus,
  probesWithoutInternals,
  probesWithoutServerError,
  repeatedWithoutCrash,
} from '../../../../openapi/behaviours/service/probes.ts';
import { refusedLoans } from '../../../../openapi/bank/behaviours/service/refused.ts';
import { body, exchange } from '../../support/judge-harness.ts';
import { broken, kept, notTested, rows, runRows } from './rows.ts';

const control = exchange('requestLoan');
const declinedRequest = exchange('requestLoan', body('requestLoan', '/data/result', false));
const makeRefused = (
  status = 400,
  labels: readonly (readonly [string, string])[] = [],
  answer: object = { message: 'No' },
) => exchange('requestLoan', answer, { status, kind: 'probe', labels });

rows(refusedLoans.applicationAmount, {
  'a loan request for the amount zero is accepted': broken({ probe: control, control }, { pointer: '/data/result' }),
  'a loan request for the amount zero is refused, or answered false': [
    makeRefused(),
    makeRefused(404),
    declinedRequest,
  ].map((probe) => kept({ probe, control })),
  'a loan request for the amount zero gets 500 or no answer': [
    makeRefused(500),
    exchange('requestLoan', null, { kind: 'probe' }),
  ].map((probe) => notTested({ probe, control }, 'the bank did not say whether it accepted the request')),
  'an amount above zero is refused too': notTested(
    { probe: makeRefused(), control: makeRefused() },
    'the bank did not accept the same request without the fault',
  ),
  'the bank answers 429, or 503 with Retry-After': [makeRefused(429), makeRefused(503, [['retry-after', '1']])].map(
    (probe) => notTested({ probe, control }, 'the bank asked to wait'),
  ),
});

/** Makes an invalid request and its repetitions. */
const makeProbe = (...[first, ...repetitions]: readonly ReturnType<typeof makeRefused>[]) =>
  first === undefined
    ? []
    : [{ ...first, control: control.id }, ...repetitions.map((answer) => ({ ...answer, repeats: first.id }))];
const crash = () => makeRefused(500);

runRows(probesWithoutServerError, {
  'an invalid request gets three server errors in a row': broken(makeProbe(crash(), crash(), crash())),
  'two invalid requests of one operation get two server errors in a row each': broken(
    [...makeProbe(crash(), crash()), ...makeProbe(crash(), crash())],
    { received: 'status 500 with {"message":"No"}' },
  ),
  'an invalid request gets a server error, and a refusal when it is sent again': kept(
    makeProbe(crash(), makeRefused()),
  ),
  'one invalid request gets two server errors, or three get one each': [
    makeProbe(crash(), crash()),
    [1, 2, 3].flatMap(() => makeProbe(crash())),
  ].map((probes) => notTested(probes, 'no server error came often enough in succession')),
});

runRows(probesRefusedByStatus, {
  'an invalid request is refused with status 200': broken(
    makeProbe(makeRefused(200, [], { errorCode: 7, message: 'No' })),
  ),
  'an invalid request is refused with status 400': kept(makeProbe(makeRefused())),
  'an invalid request gets data': notTested(
    makeProbe(makeRefused(200, [], body('requestLoan') as object)),
    'the bank refused no faulty request',
  ),
});
runRows(probesWithoutInternals, {
  'the refusal of an invalid request has a stack trace': broken(
    makeProbe(makeRefused(400, [], { message: 'at com.bank.Loans.open(Loans.java:12)' })),
  ),
  'the refusal of an invalid request has a plain message': kept(makeProbe(makeRefused())),
});

const repeat = (...statuses: readonly number[]) => ({
  repeated: statuses.map((status) => makeRefused(status)),
  first: control,
});
const NOT_EACH_TIME = 'no repeated request ended in a server error each time';
rows(repeatedWithoutCrash, {
  'a repeated request gets a server error each time': broken(repeat(500, 500, 502, 500)),
  'a repeated request gets server errors only sometimes, or always 503': [
    notTested(repeat(500, 500), NOT_EACH_TIME),
    notTested(repeat(500, 500, 500, 409), NOT_EACH_TIME),
    notTested(repeat(503, 503, 503, 503), NOT_EACH_TIME),
  ],
});
