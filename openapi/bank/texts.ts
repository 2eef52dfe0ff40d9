/** Says which documented fields have free text, texts for people, postal addresses, or web addresses. */
import type { OperationId } from '../clauses/areas.ts';

/** Fields with free text. All other fields have a documented format. */
const FREE_TEXT_POINTER = /(?:name|text|message|account|address|city|district)$/;
/** Fields with sentences or labels for people. Leaves out fields with names, because a host name is similar to a key. */
const HUMAN_TEXT_POINTER = /(?:_message|\/result|\/installments\/\*\/text)$/;

export const isFreeText = (pointer: string): boolean => FREE_TEXT_POINTER.test(pointer);
/** True for a field with a text that the bank chooses freely. All texts of an outcome are such texts. */
export const isFilledText = (pointer: string, operation: OperationId): boolean =>
  isFreeText(pointer) || operation === 'queryDisbursement';
export const isHumanText = (pointer: string): boolean => HUMAN_TEXT_POINTER.test(pointer);
export const isAddress = (pointer: string): boolean => pointer.endsWith('/atm_address');
export const isWebAddress = (pointer: string): boolean => pointer.endsWith('/payment_link');
