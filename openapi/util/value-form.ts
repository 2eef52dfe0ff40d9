/** Names the form of a received value, such as `a text of digits`. The same fault has the same form in all runs. */

/** A value has the first form that matches. A long text ends with `…` in place of its quotation mark. */
const valueForms: readonly (readonly [form: string, pattern: RegExp])[] = [
  ['null', /^null$/],
  ['true or false', /^(?:true|false)$/],
  ['a number', /^-?\d[\d.e+-]*$/i],
  ['an empty text', /^""$/],
  ['a text of digits', /^"\d+"$/],
  ['a decimal number as text', /^"[-+]?[\d.,]*[.,]\d+"$/],
  ['a text', /^"(?:[^"\\]|\\.)*(?:"|…)$/],
  ['an array', /^\[/],
  ['an object', /^\{/],
];

/** Returns the form of a value as a finding quotes it; undefined for a sentence. */
export const readValueForm = (quotedValue: string): string | undefined =>
  valueForms.find(([, pattern]) => pattern.test(quotedValue))?.[0];

export const isValueForm = (form: string): boolean => valueForms.some(([name]) => name === form);

/** For each place, at most this many forms of received values are reported separately. */
export const MAX_FORMS_PER_PLACE = 20;

/** If a place has very many forms of received values, this text stands for all forms after the first ones. */
export const FURTHER_FORMS_TEXT = 'further values';
