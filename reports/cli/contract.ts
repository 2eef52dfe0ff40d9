import { contractCommand } from './contract-command.ts';

process.exitCode = await contractCommand(process.argv.slice(2), (text) => process.stdout.write(text));
