/** The file of the contract. */
import { join } from 'node:path';

export const contractFile = join(__dirname, '../contract/bank-open-api.yaml');
