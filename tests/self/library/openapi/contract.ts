import { join } from 'node:path';

export const contractFile = join(__dirname, 'contract.yaml');
