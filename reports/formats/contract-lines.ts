/** Where a clause stands in the contract: the line that tools for source code show a finding at. */
import { contractText } from '../../openapi/contract/load.ts';
import { operationNamed } from '../model/catalogue.ts';

/** The contract as a path from the root of the repository. */
export const contractPath = 'openapi/contract/bank-open-api.yaml';

const lines = contractText.split('\n');

const lineWith = (text: RegExp): number => lines.findIndex((line) => text.test(line)) + 1;

/** The line that carries the clause, else the one of the operation, else the first. Counted from 1. */
export function contractLine(clause: string, operation: string | null): number {
  const id = clause.replaceAll('.', '\\.');
  const carried = lineWith(new RegExp(`(?:^|[\\s{:,])${id}(?=[\\s},]|$)`));
  if (carried > 0) return carried;
  const known = operationNamed(operation);
  return Math.max(1, known === null ? 0 : lineWith(new RegExp(`operationId: ${known}$`)));
}
