/** Says where the file of the contract is. */
import { join } from 'node:path';

export const contractFile = join(__dirname, 'bank-open-api.yaml');
