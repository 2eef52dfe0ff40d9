/** Finds the line of a clause in the contract. Tools for source code show a finding at this line. */
import { contractText } from '../../openapi/contract/load.ts';
import { operationNamed } from '../model/catalogue.ts';

/** The path of the contract from the root of the repository. */
export const contractPath = 'openapi/contract/bank-open-api.yaml';

const lines = contractText.split('\n');

const lineWith = (text: RegExp): number => lines.findIndex((line) => text.test(line)) + 1;

/** Returns the line of the clause, else of the operation, else the first line. Lines count from 1. */
export function contractLine(clause: string, operation: string | null): number {
  const id = clause.replaceAll('.', '\\.');
  const carried = lineWith(new RegExp(`(?:^|[\\s{:,])${id}(?=[\\s},]|$)`));
  if (carried > 0) return carried;
  const known = operationNamed(operation);
  return Math.max(1, known === null ? 0 : lineWith(new RegExp(`operationId: ${known}$`)));
}
