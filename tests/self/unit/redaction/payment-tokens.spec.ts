/** No record holds a payment token: the same pseudonym replaces it in token and link. */
import { expect, test } from '@playwright/test';
import { redactor } from '../../../../fixtures/redaction/redactor.ts';
import { makeExchange, percentEncodeAll, recordBody } from './secret-samples.ts';

test.describe('Payment tokens', () => {
  const link = (token: string, payment_link: string) => ({
    data: { order_id: 'o-1', payment_link, payment_token: token },
  });
  const parsed = (text: string) => (JSON.parse(text) as ReturnType<typeof link>).data;

  for (const [what, token, write] of [
    ['as it stands', 'Ab3dE6_-xyz', (t: string) => t],
    ['percent-encoded', 'Ab+12/xyz==', encodeURIComponent],
    ['percent-encoded throughout', 'Ab3dE6xyz', percentEncodeAll],
    ['short', '7391', (t: string) => t],
    ['short, with signs', 'p-1', (t: string) => t],
    ['short, with signs that patterns are made of', '(a.1|', encodeURIComponent],
  ] as const) {
    test(`A token ${what} is replaced in the same way in token and link`, () => {
      const body = recordBody(redactor([]), link(token, `https://pay.example/p/${write(token)}?x=1`));
      const { payment_token, payment_link, order_id } = parsed(body);
      expect(payment_token).not.toBe(token);
      const form = (text: string) => text.replaceAll(/[a-z]/g, 'a').replaceAll(/[A-Z]/g, 'A').replaceAll(/\d/g, '1');
      expect(form(payment_token)).toBe(form(token));
      expect(decodeURIComponent(payment_link)).toBe(`https://pay.example/p/${payment_token}?x=1`);
      expect(body).not.toContain(token);
      expect(order_id).toBe('o-1');
    });
  }

  test('Distinct tokens stay distinct, and equal tokens stay equal', () => {
    const mask = redactor([]);
    const standIn = (token: string) => parsed(recordBody(mask, link(token, 'https://pay.example'))).payment_token;
    const tokens = Array.from({ length: 70 }, (_, n) => String(n + 10)).filter((token) => token[0] !== token[1]);
    expect(new Set(tokens.map(standIn)).size).toBe(tokens.length);
    expect(standIn('42')).toBe(standIn('42'));
    const keyed = () => parsed(recordBody(redactor([], { key: 'k' }), link('abcd1234', 'x'))).payment_token;
    expect(keyed()).toBe(keyed());
  });

  test('A number stays a number, and a link without the token stays unchanged', () => {
    const mask = redactor([]);
    expect(recordBody(mask, '{"data":{"payment_token":8123456789}}')).toMatch(
      /^{"data":{"payment_token":[1-9]\d{9}}}$/,
    );
    expect(recordBody(mask, '{"data":{"payment_token":8123456789}}')).not.toContain('8123456789');
    expect(parsed(recordBody(mask, link('abcd1234', 'https://pay.example/p?x=1'))).payment_link).toBe(
      'https://pay.example/p?x=1',
    );
  });

  test('A token is also replaced if data is a text, or if the answer was cut short', () => {
    const mask = redactor([]);
    const doubled = JSON.stringify({
      data: JSON.stringify(link('abcd1234', 'https://pay.example/abcd1234')),
    });
    expect(recordBody(mask, doubled)).not.toContain('abcd1234');
    expect(Object.keys(JSON.parse((JSON.parse(recordBody(mask, doubled)) as { data: string }).data) as object)).toEqual(
      ['data'],
    );
    expect(
      recordBody(mask, '{"data":{"payment_link":"https://pay.example/abcd1234","payment_token":"abcd1234","is_su'),
    ).toMatch(
      /^{"data":{"payment_link":"https:\/\/pay\.example\/[0-9A-Za-z]{8}","payment_token":"[0-9A-Za-z]{8}","is_su$/,
    );
  });

  test('An empty token, and one of a single repeated character, stay visible for the judge', () => {
    for (const token of ['', '0000', '---']) {
      expect(recordBody(redactor([]), link(token, 'https://pay.example'))).toBe(
        JSON.stringify(link(token, 'https://pay.example')),
      );
    }
  });

  test('A finding that quotes a short token quotes the pseudonym in its evidence', () => {
    const mask = redactor([]);
    const evidence = recordBody(mask, '{"data":{"payment_token":4711}}');
    const { id } = makeExchange(null);
    const quoted = mask.quote('4711', id);
    expect(quoted).not.toBe('4711');
    expect(evidence).toBe(`{"data":{"payment_token":${quoted}}}`);
    expect(mask.quote('"4711"', id)).toBe(`"${quoted}"`);
    expect(mask.quote('47110 of 4711 links', id)).toBe('47110 of 4711 links');
  });

  test('Tokens stay visible if they are to be shown', () => {
    const mask = redactor([], { showPaymentTokens: true });
    const body = JSON.stringify(link('abcd1234', 'https://pay.example/abcd1234'));
    expect(recordBody(mask, body)).toBe(body);
  });
});
