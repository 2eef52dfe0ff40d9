/** Judges one answer of each mutant whose fault one answer shows, without a run. */
import { expect, test } from '@playwright/test';
import type { Mutant } from '../../../fixtures/banks/lib/mutant.ts';
import { sandboxCredentials } from '../../../fixtures/reference-bank/bank.ts';
import { getClause } from '../../../openapi/catalogue.ts';
import { operations } from '../../../openapi/contract/operations.ts';
import { judge } from '../../../openapi/judge.ts';
import type { Violation } from '../../../openapi/model/finding.ts';
import { operationIds, type OperationId } from '../../../openapi/api.ts';
import type { RequestInputs } from '../../../openapi/model/exchange.ts';
import { ASKED_BY_PLACE, body, exchange } from '../support/judge-harness.ts';
import { mutantsOfOneAnswer } from './batches.ts';

const sandboxHeaders = {
  'X-GW-client-id': sandboxCredentials.clientId,
  'X-GW-client-secret': sandboxCredentials.clientSecret,
  Authorization: `Bearer ${sandboxCredentials.accessToken}`,
};

/** A documented request with a right answer. */
interface Sample {
  readonly query: string;
  readonly asked?: RequestInputs;
  readonly answer: unknown;
}

function listSamples(operation: OperationId): readonly Sample[] {
  const answer = body(operation);
  if (operation !== 'findAtms') return [{ query: '', answer }];
  const { data } = answer as { data: object[] };
  const withoutDistance = data.map((atm) => ({ ...atm, atm_distance: undefined }));
  return [
    { query: '?latitude=41.0136&longitude=28.955', answer },
    { query: '?province_code=34&district_code=07', asked: ASKED_BY_PLACE, answer: { data: withoutDistance } },
  ];
}

async function judgeSample(
  { mutate, operation }: Mutant,
  { query, asked, answer }: Sample,
): Promise<readonly Violation[]> {
  const { method, path } = operations[operation];
  const request = new Request(`http://bank${path.replace(/\{\w+\}/, '1')}${query}`, {
    method,
    headers: sandboxHeaders,
    ...(method === 'POST' ? { body: '{}' } : {}),
  });
  const response = await mutate({ fetch: () => Response.json(answer) }).fetch(request);
  const bytes = new Uint8Array(await response.arrayBuffer());
  const around = { status: response.status, labels: [...response.headers], ...(asked === undefined ? {} : { asked }) };
  return judge(exchange(operation, bytes, around)).breaks;
}

for (const operation of operationIds)
  test(`One answer of each mutant of ${operation} breaks its clause at its place, and no other must clause`, async () => {
    const samples = listSamples(operation);
    const wrong: string[] = [];
    for (const mutant of mutantsOfOneAnswer.filter((candidate) => candidate.operation === operation)) {
      const breaks = (await Promise.all(samples.map((sample) => judgeSample(mutant, sample)))).flat();
      const isCaught = breaks.some(({ clause, pointer }) => clause === mutant.breaks && pointer === mutant.pointer);
      const allowed: readonly string[] = [mutant.breaks, ...(mutant.also ?? [])];
      const others = breaks.filter(({ clause }) => getClause(clause).level === 'must' && !allowed.includes(clause));
      if (!isCaught || others.length > 0)
        wrong.push(`${mutant.name}: ${breaks.map(({ clause, pointer }) => `${clause} ${pointer}`).join(', ')}`);
    }
    expect(wrong).toEqual([]);
  });
