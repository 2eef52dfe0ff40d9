/** Writes the copy of the contract in JSON anew: `npm run contract`. */
import { writeFileSync } from 'node:fs';
import { copyFile, freshCopy } from './contract-file.ts';

writeFileSync(copyFile, freshCopy());
