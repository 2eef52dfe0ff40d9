/** The form of a received value: a class that is the same in all runs with the same fault. */

/** The first that matches counts. A long text ends with `…` in place of its quotation mark. */
const valueForms: readonly (readonly [form: string, shape: RegExp])[] = [
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
export const readValueForm = (quoted: string): string | undefined =>
  valueForms.find(([, shape]) => shape.test(quoted))?.[0];

export const isValueForm = (form: string): boolean => valueForms.some(([words]) => words === form);

/** The text for the received values of a place that are too many to be told apart. */
export const FURTHER_FORMS_TEXT = 'further values';
