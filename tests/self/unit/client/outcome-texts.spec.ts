/** What a stranger to the target can read of the outcome texts of disbursements. */
import { expect, test } from '@playwright/test';
import { isConclusive, isPending } from '../../../../fixtures/client/pending-status.ts';

test('An outcome is on the way, conclusive, or in words that only a reader understands', () => {
  const read = (text: string): readonly boolean[] => [isPending(text), isConclusive(text)];
  for (const text of ['In progress', 'Accepted for processing', 'İşleniyor', 'Onayda bekliyor', 'wird bearbeitet'])
    expect(read(text), text).toEqual([true, false]);
  for (const text of ['OK', 'Processed', 'The disbursement could not be made', 'Kullandırım tamamlandı', 'ausgezahlt'])
    expect(read(text), text).toEqual([false, true]);
  for (const text of ['The loan is approved, the payment follows', 'It will be paid', 'Lähetetty', '7'])
    expect(read(text), text).toEqual([false, false]);
});
