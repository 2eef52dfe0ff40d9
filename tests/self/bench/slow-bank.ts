/** The reference bank at the end of a long line: serves it with a latency and says where. */
import { createBank } from '../../../fixtures/reference-bank/bank.ts';
import { serve } from '../../../fixtures/reference-bank/serve.ts';

const latency = Number(process.argv[2] ?? 80);
const bank = createBank();
const { url } = await serve({
  async fetch(request) {
    await new Promise((resolve) => setTimeout(resolve, latency));
    return bank.fetch(request);
  },
});
console.log(url);
