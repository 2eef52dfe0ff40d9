import type { OperationId, Reply, Tools, Values } from '../../fixtures/runner/index.ts';

/** Repeats an accepted request with a JSON body that is no object, and with a body that is no JSON; returns the answer to this. */
export async function probeUnreadable<O extends OperationId>(
  { probe }: Tools,
  control: Reply<O>,
  values: Values,
): Promise<Reply<O> | null> {
  const send = (body: string) => probe(control, values, { mutate: (draft) => ({ ...draft, body }) });
  const [, last] = await Promise.all([send('[]'), send('{"amount":')]);
  return last;
}
