/** Which documented texts are for people, and which name an address or a place on the web. */
import type { OperationId } from '../clauses/areas.ts';

/** Fields with free text. All other fields have a documented format. */
const FREE_TEXT_POINTER = /(?:name|text|message|account|address|city|district)$/;
/** Fields with texts for people. Fields with names are left out, because a host name is similar to a key. */
const HUMAN_TEXT_POINTER = /(?:_message|\/result|\/installments\/\*\/text)$/;

export const isFreeText = (pointer: string): boolean => FREE_TEXT_POINTER.test(pointer);
/** All texts of an outcome are words of the bank. */
export const isFilledText = (pointer: string, operation: OperationId): boolean =>
  isFreeText(pointer) || operation === 'queryDisbursement';
export const isHumanText = (pointer: string): boolean => HUMAN_TEXT_POINTER.test(pointer);
export const isAddress = (pointer: string): boolean => pointer.endsWith('/atm_address');
export const isWebAddress = (pointer: string): boolean => pointer.endsWith('/payment_link');
