import {
  probesRefusedByStatus,
  probesWithoutInternals,
  probesWithoutServerError,
  repeatedWithoutCrash,
} from '../../../../openapi/behaviours/service/probes.ts';
import { refusedLoans } from '../../../../openapi/behaviours/service/refused.ts';
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
  'an amount of zero is accepted': broken({ probe: control, control }, { pointer: '/data/result' }),
  'it is refused, or declined': [makeRefused(), makeRefused(404), declinedRequest].map((probe) =>
    kept({ probe, control }),
  ),
  'it is neither accepted nor refused': [makeRefused(500), exchange('requestLoan', null, { kind: 'probe' })].map(
    (probe) => notTested({ probe, control }, 'the bank did not say whether it accepted the request'),
  ),
  'an amount above zero is refused too': notTested(
    { probe: makeRefused(), control: makeRefused() },
    'the bank did not accept the same request without the fault',
  ),
  'the bank asks to wait': [makeRefused(429), makeRefused(503, [['retry-after', '1']])].map((probe) =>
    notTested({ probe, control }, 'the bank asked to wait'),
  ),
});

/** Makes a probe and its repetitions. */
const makeProbe = (...[first, ...again]: readonly ReturnType<typeof makeRefused>[]) =>
  first === undefined
    ? []
    : [{ ...first, control: control.id }, ...again.map((one) => ({ ...one, repeats: first.id }))];
const crash = () => makeRefused(500);

runRows(probesWithoutServerError, {
  'three server errors in a row': broken(makeProbe(crash(), crash(), crash())),
  'two in a row, at two probes of one operation': broken(
    [...makeProbe(crash(), crash()), ...makeProbe(crash(), crash())],
    { received: 'status 500 with {"message":"No"}' },
  ),
  'a repetition brings another answer': kept(makeProbe(crash(), makeRefused())),
  'two in a row at one probe, or one at several probes': [
    makeProbe(crash(), crash()),
    [1, 2, 3].flatMap(() => makeProbe(crash())),
  ].map((probes) => notTested(probes, 'no server error came often enough in succession')),
});

runRows(probesRefusedByStatus, {
  'a refusal with status 200': broken(makeProbe(makeRefused(200, [], { errorCode: 7, message: 'No' }))),
  'a refusal with status 400': kept(makeProbe(makeRefused())),
  'an answer with data': notTested(
    makeProbe(makeRefused(200, [], body('requestLoan') as object)),
    'the bank refused no faulty request',
  ),
});
runRows(probesWithoutInternals, {
  'a stack trace': broken(makeProbe(makeRefused(400, [], { message: 'at com.bank.Loans.open(Loans.java:12)' }))),
  'a plain refusal': kept(makeProbe(makeRefused())),
});

const repeat = (...statuses: readonly number[]) => ({
  repeated: statuses.map((status) => makeRefused(status)),
  first: control,
});
const NOT_EACH_TIME = 'no repeated request ended in a server error each time';
rows(repeatedWithoutCrash, {
  'a repeated request crashes each time': broken(repeat(500, 500, 502, 500)),
  'it crashes at times, or the service is overloaded': [
    notTested(repeat(500, 500), NOT_EACH_TIME),
    notTested(repeat(500, 500, 500, 409), NOT_EACH_TIME),
    notTested(repeat(503, 503, 503, 503), NOT_EACH_TIME),
  ],
});
