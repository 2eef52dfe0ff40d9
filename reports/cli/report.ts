import { command } from './report-command.ts';

process.exitCode = await command(process.argv.slice(2), (text) => process.stdout.write(text));
