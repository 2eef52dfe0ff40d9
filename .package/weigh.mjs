/** Counts the lines of code of each part and compares them with the budget in `.github/CONTRIBUTING.md`. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

const BUDGET_FILE = '.github/CONTRIBUTING.md';
/** A longer line counts as several: else a table would be a way around the budget. */
const LINE_WIDTH = 120;

/** A row of the table: `| part | folders in backticks, with commas | lines |`. */
const parts = [...readFileSync(BUDGET_FILE, 'utf8').matchAll(/^\| ([^|]+?) +\| (`[^|]+`) +\| +([\d,]+) \|$/gm)].map(
  ([, name, folders, most]) => ({
    name,
    folders: [...folders.matchAll(/`([^`]+)`/g)].map(([, folder]) => folder),
    most: Number(most.replaceAll(',', '')),
    lines: 0,
  }),
);
if (parts.length === 0) throw new Error(`${BUDGET_FILE} has no table of the budget.`);

/** The part with the longest folder that holds the file. */
function findPart(file) {
  const holds = (folder) => file === folder || file.startsWith(`${folder}/`);
  return parts
    .flatMap((part) => part.folders.filter(holds).map((folder) => ({ part, folder })))
    .toSorted((a, b) => b.folder.length - a.folder.length)[0]?.part;
}

const weigh = (text) =>
  text
    .trimEnd()
    .split('\n')
    .reduce((sum, line) => sum + Math.max(1, line.length / LINE_WIDTH), 0);

const problems = [];
const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
  encoding: 'utf8',
}).split('\0');
for (const file of files.filter((name) => /\.(?:ts|mjs|cjs|js)$/.test(name) && existsSync(name))) {
  const part = findPart(file);
  if (part === undefined) problems.push(`${file} is in no part of the budget: add its folder to ${BUDGET_FILE}.`);
  else part.lines += weigh(readFileSync(file, 'utf8'));
}

for (const { name, folders, most, lines } of parts) {
  const counted = Math.ceil(lines);
  process.stdout.write(`${String(counted).padStart(7)} of ${String(most).padStart(6)}  ${name}\n`);
  if (counted > most)
    problems.push(
      `${name} (${folders.join(', ')}) has ${counted} lines, ${counted - most} over its budget: take out what is no longer needed.`,
    );
}
for (const problem of problems) process.stderr.write(`${problem}\n`);
if (problems.length > 0) process.exitCode = 1;
