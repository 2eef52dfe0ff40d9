/** `npm run recordings -- before.json after.json` lists the banks of the population whose judgement has changed. */
import { readFileSync } from 'node:fs';
import { differences, type BankRecord } from './recording.ts';

const [before, after] = process.argv.slice(2);
if (before === undefined || after === undefined) {
  process.stderr.write('Usage: npm run recordings -- before.json after.json (npm run prove writes recording.json)\n');
  process.exitCode = 2;
} else {
  const read = (file: string): BankRecord[] => JSON.parse(readFileSync(file, 'utf8')) as BankRecord[];
  const lines = differences(read(before), read(after));
  process.stdout.write(lines.map((line) => `${line}\n`).join(''));
  process.stdout.write(`${lines.length} differences between ${before} and ${after}\n`);
  process.exitCode = lines.length === 0 ? 0 : 1;
}
