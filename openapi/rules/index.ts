/** Rules about one exchange that no schema can express: they compare a request with its answer, or two parts of an answer. */
import type { OperationId } from '../model/exchange.ts';
import { atmRules } from './atms.ts';
import type { Rule } from './context.ts';
import { loanRules } from './loans.ts';
import { linkRules } from './payment-links.ts';

export const rules: Readonly<Partial<Record<OperationId, Rule>>> = { ...loanRules, ...linkRules, ...atmRules };
