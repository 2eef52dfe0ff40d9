/** `npm run proxy`: a recording proxy before a bank, which judges real clients live. */
// Must be first: the overlay is applied when the contract is loaded.
import '../../fixtures/config/overlay.ts';
import { closeSync, openSync, writeSync } from 'node:fs';
import { defineCommand, runIfMain } from '../../openapi/util/command.ts';
import { listenOnPort, parsePort } from '../../fixtures/runner/cli/port.ts';
import { openRecordingProxy } from '../../fixtures/recording/proxy.ts';
import type { RecordedExchange } from '../../fixtures/recording/recording.ts';
import type { ExchangeRecord } from '../../openapi/model/journal.ts';
import { makeHarEntry } from '../formats/har.ts';
import { escapeCommands, toOneLine, shortenText } from '../text/sanitize.ts';
import { getOperationName } from '../../openapi/contract/operations.ts';
import { catalogue } from '../model/catalogue.ts';
import { openRecordedRun } from './recorded-run.ts';

const usage = `A recording proxy in front of a bank: forwards what the clients send, judges every exchange at once, and writes the
report when you press Ctrl-C. It sends nothing that the clients did not send.

  npm run proxy -- --target <url> [options]

  --target <url>     base URL of the bank
  --port <number>    where it listens on 127.0.0.1 (default 8888; 0 takes any free port)
  --har <file>       also writes the exchanges to a HAR 1.2 file, without secrets
  --help             this text

Give the clients the printed address in place of the bank's. The report goes to the folder "recorded" in REPORT_DIR.
TLS_CERT, TLS_KEY, TLS_PFX and TLS_CA are used for connections to the bank. Exit status as for a run.
`;

const MAX_RECEIVED_LENGTH = 200;

/** Creates a HAR file and adds entries one by one. */
function openHar(file: string): { add(record: ExchangeRecord): void; close(): void } {
  const descriptor = openSync(file, 'w', 0o600);
  const creator = { name: 'Bank Open API conformance suite', version: '' };
  writeSync(descriptor, `{"log":{"version":"1.2","creator":${JSON.stringify(creator)},"entries":[`);
  let separator = '\n';
  return {
    add(record) {
      writeSync(descriptor, `${separator}${JSON.stringify(makeHarEntry(record))}`);
      separator = ',\n';
    },
    close() {
      writeSync(descriptor, '\n]}}\n');
      closeSync(descriptor);
    },
  };
}

/** Resolves when the user ends the command. From now on, a signal does not lose recorded data. */
function waitForEnd(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resolve());
  });
}

export const proxyCommand = defineCommand({
  usage,
  options: { target: { type: 'string' }, port: { type: 'string', default: '8888' }, har: { type: 'string' } },
  positionals: [0, 0],
  async run({ values }, print) {
    if (values.target === undefined) throw new Error('--target is missing: give the base URL of the bank.');
    const port = parsePort(values.port);
    const run = openRecordedRun(values.target, true);
    const end = waitForEnd();
    const { recording, target, failed } = run;
    const har = values.har === undefined ? null : openHar(values.har);
    const seen = new Set<string>();
    let incomplete = 0;
    const heard = (exchange: RecordedExchange): void => {
      const judged = run.add(exchange);
      if (judged === null) return;
      try {
        har?.add(judged.record);
      } catch (error) {
        failed(`An exchange could not be written to ${values.har}`, error);
      }
      for (const { clause, operation, pointer, kind, received } of judged.breaks) {
        const place = `${clause}  ${getOperationName(operation)}  ${pointer}`;
        if (seen.has(place + kind)) continue;
        seen.add(place + kind);
        const label = catalogue.clauses[clause]?.level === 'must' ? 'broken' : 'warning';
        print(
          `${escapeCommands(toOneLine(`${label} ${place}: ${shortenText(recording.redactor.text(received), MAX_RECEIVED_LENGTH)}`))}\n`,
        );
      }
    };
    // An error in one exchange must not end the proxy or the report.
    for (const event of ['uncaughtException', 'unhandledRejection'] as const)
      process.on(event, (error: unknown) => failed('An exchange could not be passed on', error));
    const unheard = (): void => void (incomplete += 1);
    const proxy = await listenOnPort(port, openRecordingProxy({ target, port, heard, unheard, failed }));
    print(`Recording ${target.baseUrl} at ${proxy.url}; press Ctrl-C to stop and write the report.\n`);
    await end;
    await proxy.close();
    try {
      har?.close();
    } catch (error) {
      failed(`${values.har} could not be completed`, error);
    }
    const { text, exit } = await run.conclude({ source: 'recorded live', incomplete });
    print(text);
    return exit;
  },
});

void runIfMain(__filename, proxyCommand);
