import { scenario, test, type Reply } from '../../fixtures/runner/index.ts';

/** Times in a row that an answer has to be unreadable, each beside the same answer uncompressed. */
const TIMES = 2;

for (const area of ['payment-links', 'atms'] as const)
  test(
    `An answer that may be compressed is readable (${area})`,
    ...scenario(`compressed-${area}`, { area }, async ({ atms, bank, probe, check }) => {
      const [position] = area === 'atms' ? [...(await atms.known()), ...atms.starts()] : [];
      const values = position === undefined ? {} : { ...position };
      const ask = (): Promise<Reply> => (area === 'atms' ? bank.findAtms(values) : bank.listMerchants());
      for (let time = 1; time <= TIMES; time += 1) {
        const control = await ask();
        const reply = await probe(control, values, {
          mutate: (draft) => ({ ...draft, headers: { ...draft.headers, 'Accept-Encoding': 'gzip' } }),
        });
        if (reply === null || (reply.status ?? 0) >= 300) return;
        if (!reply.accepted && time < TIMES) continue;
        check('service.content-coding', reply, reply.accepted, {
          pointer: 'response/body',
          expected: 'the same content as without Accept-Encoding: gzip',
          received: reply.exchange.failure?.message ?? 'a body that is no JSON once its Content-Encoding is undone',
          contrast: control,
        });
        return;
      }
    }),
  );
