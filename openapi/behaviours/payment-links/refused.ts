/** The bank refuses payment links for values that make no sense. */
import type { Clause } from '../../clauses/clause.ts';
import type { BehaviourId, FieldClauseId } from '../../clauses/index.ts';
import { defineLevels, jsonBodySource } from '../../clauses/levels.ts';
import { linkRequestField } from '../../clauses/payment-links.ts';
import { broken, compared, kept } from '../behaviour.ts';
import { reply } from '../evidence.ts';

const { money, robust } = defineLevels('payment-links');
const link = reply('createPaymentLink');

const refused = <const Id extends BehaviourId>(
  id: Id,
  clause: Clause,
  question: string,
  point: FieldClauseId = 'links.unknown-ids',
) =>
  compared({
    id,
    clause,
    evidence: { probe: link, control: link },
    asks: [point, question],
    judge: ({ probe, control }) =>
      probe.accepted ? broken(probe, { expected: 'a refusal', contrast: control }) : kept(probe, { contrast: control }),
  });

// prettier-ignore
export const unknownMerchantRefused = refused('links.unknown-merchant.link', money(linkRequestField('merchant_no'), 'The bank refuses a payment link request for a merchant that does not exist.'), 'an unknown merchant');
// prettier-ignore
export const unknownInstallmentRefused = refused('links.unknown-installment', money(linkRequestField('installment'), 'The bank refuses a payment link request with a number of installments that is not on the installment list.'), 'an unknown installment');
// prettier-ignore
export const amountPositive = refused('links.amount-positive', money(linkRequestField('amount'), 'The bank refuses a payment link request for an amount of zero or less.'), 'an amount of zero or below');
// prettier-ignore
export const malformedRefused = refused('links.malformed.refused', robust(jsonBodySource, 'The bank refuses a payment link request whose body is not JSON.'), 'a body that is not JSON', 'service.request-leniency');
