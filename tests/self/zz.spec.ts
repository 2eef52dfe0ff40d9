import { test } from '@playwright/test';
import { createBank } from '../../fixtures/reference-bank/bank.ts';
import { refusing } from '../../fixtures/banks/refusing.ts';
import { examine } from './examine.ts';
test('x', async () => {
  let ok=0;
  for (const f of refusing) {
    const t=performance.now();
    const r = await examine(f.spoil(createBank()));
    const must=r.findings.filter(f=>f.verdict==='fail'); const good= must.some(x=>x.clause===f.breaks&&x.pointer===f.pointer) && must.every(x=>x.clause===f.breaks);
    if(good) ok++; else console.log(f.name, r.verdict, r.requests, Math.round(performance.now()-t), JSON.stringify(r.findings.map(f=>[f.clause,f.pointer,f.received])), JSON.stringify(r.clauses.filter(c=>c.id===f.breaks).map(c=>c.why)));
  }
  console.log(ok, refusing.length);
});
