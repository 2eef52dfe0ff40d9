import { compareCommand } from './compare-command.ts';

process.exitCode = compareCommand(process.argv.slice(2), (text) => process.stdout.write(text));
