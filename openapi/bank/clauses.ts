/** Collects the clauses about fields of all areas. */
import { atmClauses } from './clauses/atms.ts';
import { loanClauses } from './clauses/loans.ts';
import { linkClauses } from './clauses/payment-links.ts';

export const areaClauses = { ...loanClauses, ...linkClauses, ...atmClauses };
