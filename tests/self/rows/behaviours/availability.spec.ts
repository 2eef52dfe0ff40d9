/** Tests the clauses about compressed answers, and about requests that stop the service. */
import { compressedAnswersReadable, serviceStopped } from '../../../../openapi/behaviours/service/availability.ts';
import { sameInEachCoding } from '../../../../openapi/behaviours/service/content-codings.ts';
import type { Exchange } from '../../../../openapi/model/exchange.ts';
import { exchange } from '../../support/judge-harness.ts';
import { broken, kept, notTested, rows } from './rows.ts';

const atms = exchange('findAtms');
const unreadable = exchange('findAtms', 'no JSON', { kind: 'probe' });
const compress = (...probes: readonly Exchange[]) => ({ answers: probes.map((probe) => ({ probe, control: atms })) });
rows(compressedAnswersReadable, {
  'three compressed answers in a row are unreadable': broken(compress(unreadable, unreadable, unreadable)),
  'the last compressed answer is readable': [kept(compress(atms)), kept(compress(unreadable, unreadable, atms))],
  'only two compressed answers are unreadable': notTested(
    compress(unreadable, unreadable),
    'the run sent too few requests that accept gzip',
  ),
  'the request without gzip gets a server error': notTested(
    { answers: [{ probe: unreadable, control: exchange('findAtms', {}, { status: 500 }) }] },
    'the bank did not accept the request without gzip',
  ),
});

const list = (name: string, order = 1) =>
  exchange('listBranches', {
    data: {
      branches: [
        { no: 1, name },
        { no: 2, name: 'Mill' },
      ].toSorted(() => order),
    },
  });
const compare = (...probes: readonly Exchange[]) => ({
  answers: probes.map((probe) => ({ probe, control: list('Şube') })),
});
rows(sameInEachCoding, {
  'three compressed answers have lost a letter': broken(compare(list('?ube'), list('?ube'), list('?ube')), {
    expected: 'the same content as without Accept-Encoding: gzip, such as "Şube"',
    received: '"?ube"',
  }),
  'the compressed answer has the same entries in another order': kept(compare(list('Şube', -1))),
  'the first compressed answer differs, and the second is equal': kept(compare(list('?ube'), list('Şube'))),
  'one of three compressed answers is equal': notTested(
    compare(list('?ube'), list('Şube'), list('?ube')),
    'two answers in the same coding differ too',
  ),
  'only two compressed answers differ': notTested(
    compare(list('?ube'), list('?ube')),
    'the answers were compared too seldom',
  ),
  'answers without gzip differ from each other too': notTested(
    { answers: ['Şube', 'Çarşı', 'Şube'].map((name) => ({ probe: list('?ube'), control: list(name) })) },
    'two answers in the same coding differ too',
  ),
  'the answers have no letters beyond ASCII': notTested(
    { answers: [{ probe: list('Sube'), control: list('Sube') }] },
    'no answer has letters beyond ASCII',
  ),
  'the answer with gzip is not readable, or the answer without gzip is a server error': [
    notTested(compare(exchange('listBranches', 'no JSON')), 'the answer with gzip is not readable'),
    notTested(
      { answers: [{ probe: list('Şube'), control: exchange('listBranches', {}, { status: 500 }) }] },
      'the bank did not accept the request without gzip',
    ),
  ],
});

const stop = (alone: number, fatal: number) => ({
  alone: Array.from({ length: alone }, () => atms),
  fatal: Array.from({ length: fatal }, () => atms),
});
rows(serviceStopped, {
  'both fatal requests, each sent alone, stopped the service': broken(stop(2, 2)),
  'the service went on answering after one of the fatal requests': [kept(stop(2, 1)), kept(stop(1, 0))],
  'no fatal request was sent alone': notTested(stop(0, 0), 'no request was sent alone'),
});
