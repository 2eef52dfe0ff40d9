import { knownCommand } from './known-command.ts';

process.exitCode = knownCommand(process.argv.slice(2), (text) => process.stdout.write(text));
