/** Judges that order ids and tokens of payment links are unique, and that nobody can guess the next token. */
import { defineLevels } from '../../../clauses/clause.ts';
import { linkResultField } from '../../clauses/payment-links.ts';
import { judgeDuplicates, keptTimes, mergeBroken } from '../../../behaviours/agreement.ts';
import { notTested, ofRun } from '../../../behaviours/behaviour.ts';

const { money, secure } = defineLevels('payment-links');
const TOO_FEW_LINKS = 'the run made fewer than two payment links';

export const orderIdUnique = ofRun({
  id: 'links.link.order-id.distinct',
  clause: money(linkResultField('order_id'), 'Two payment links have different order ids.'),
  operation: 'createPaymentLink',
  control: 'The run makes at least two payment links.',
  judge({ links }) {
    const words = {
      pointer: '/data/order_id',
      expected: 'a new order id for a new link',
      received: 'the order id of another link',
    };
    return judgeDuplicates(links, ({ orderId }) => orderId, words, TOO_FEW_LINKS);
  },
});

export const tokenUnique = ofRun({
  id: 'links.link.payment-token.distinct',
  clause: money(linkResultField('payment_token'), 'Two payment links have different payment tokens.'),
  operation: 'createPaymentLink',
  control: 'The run makes at least two payment links.',
  judge({ links }) {
    const words = {
      pointer: '/data/payment_token',
      expected: 'a new token for a new link',
      received: 'the token of another link',
    };
    return judgeDuplicates(links, ({ token }) => token, words, TOO_FEW_LINKS);
  },
});

/** At least this many tokens must be another token plus one. Random tokens are not consecutive. */
const MIN_COUNTED_TOKENS = 3;

export const tokenNotCounted = ofRun({
  id: 'links.link.payment-token.not-counted',
  clause: secure(linkResultField('payment_token'), 'Payment tokens are not consecutive numbers.'),
  operation: 'createPaymentLink',
  control: 'The run sees at least four different tokens.',
  judge({ links }) {
    const linkByToken = new Map(links.filter(({ token }) => token !== null).map((link) => [link.token, link]));
    const [firstLink] = linkByToken.values();
    if (firstLink === undefined || linkByToken.size <= MIN_COUNTED_TOKENS)
      return [
        notTested('the run saw fewer than four different tokens, too few to show whether the bank only counts them up'),
      ];
    const linksWithNextToken = links.flatMap((contrast) => {
      const nextLink = contrast.nextToken === null ? undefined : linkByToken.get(contrast.nextToken);
      return nextLink === undefined ? [] : [{ answer: nextLink, contrast }];
    });
    if (linksWithNextToken.length < MIN_COUNTED_TOKENS) return keptTimes(firstLink, linkByToken.size - 1);
    return mergeBroken(linksWithNextToken, () => ({
      pointer: '/data/payment_token',
      expected: 'a token that nobody can guess from another one',
      received: 'the token of an earlier link plus one',
    }));
  },
});
