import { compressedAnswersReadable, serviceStopped } from '../../../../openapi/behaviours/service/availability.ts';
import type { Exchange } from '../../../../openapi/model/exchange.ts';
import { exchange } from '../../support/judge-harness.ts';
import { broken, kept, notTested, rows } from './rows.ts';

const atms = exchange('findAtms');
const unreadable = exchange('findAtms', 'no JSON', { kind: 'probe' });
const compress = (...probes: readonly Exchange[]) => ({ answers: probes.map((probe) => ({ probe, control: atms })) });
rows(compressedAnswersReadable, {
  'three answers in a row are unreadable': broken(compress(unreadable, unreadable, unreadable)),
  'an answer is readable': [kept(compress(atms)), kept(compress(unreadable, unreadable, atms))],
  'two answers are unreadable': notTested(
    compress(unreadable, unreadable),
    'the run sent too few requests that accept gzip',
  ),
  'the request is refused without gzip too': notTested(
    { answers: [{ probe: unreadable, control: exchange('findAtms', {}, { status: 500 }) }] },
    'the bank did not accept the request without gzip',
  ),
});

const stop = (alone: number, fatal: number) => ({
  alone: Array.from({ length: alone }, () => atms),
  fatal: Array.from({ length: fatal }, () => atms),
});
rows(serviceStopped, {
  'the service stopped both times': broken(stop(2, 2)),
  'the service went on answering once': [kept(stop(2, 1)), kept(stop(1, 0))],
  'nothing was sent alone': notTested(stop(0, 0), 'no request was sent alone'),
});
