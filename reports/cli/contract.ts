/** `npm run contract`: prints the contract (an OpenAPI document), also with the changes of overlays. */
import { stringify } from 'yaml';
import { parseYaml } from '../../openapi/files/parse.ts';
import { readNamed, readUserText } from '../../openapi/files/user-file.ts';
import { setOverlay, findOverlayFault } from '../../openapi/contract/overlay.ts';
import { defineCommand, runIfMain, writeOrPrint } from '../../openapi/util/command.ts';

const usage = `Prints the contract.

  npm run contract -- [options]

  --overlay <file>   applies an OpenAPI Overlay; may be repeated
  --out <file>       writes to a file: as JSON if its name ends in .json, else as YAML; HTTP clients import JSON
  --bare             leaves out the extensions that only this suite reads, such as x-clause
  --clauses          prints all clauses, with their statements and positive controls, and not the contract
  --help             this text
`;

const EXTENSIONS: ReadonlySet<string> = new Set(['x-clause', 'x-should', 'x-outcome', 'x-forms', 'x-request-headers']);

/** Removes the extensions of the suite from a part of the contract. */
function removeExtensions(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(removeExtensions);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, child]) => (EXTENSIONS.has(name) ? [] : [[name, removeExtensions(child)]])),
  );
}

/** Makes one overlay with the actions of all overlays, in their order. Throws an error of one sentence. */
function joinOverlays(overlays: readonly { readonly name: string; readonly text: string }[]): string {
  for (const { name, text } of overlays) {
    const fault = findOverlayFault(text);
    if (fault !== null) throw new Error(`${name} ${fault}.`);
  }
  const documents = overlays.map(
    ({ text }) => parseYaml(text) as { overlay: string; info?: object; actions: object[] },
  );
  const [firstOverlay] = overlays;
  if (firstOverlay !== undefined && overlays.length === 1) return firstOverlay.text;
  const [newestVersion] = documents.map(({ overlay }) => overlay).toSorted((a, b) => (a < b ? 1 : -1));
  const info = documents[0]?.info;
  return JSON.stringify({ overlay: newestVersion, info, actions: documents.flatMap(({ actions }) => actions) });
}

/** Returns the contract of a run with this overlay. Throws an error of one sentence if the overlay is not allowed. */
function loadContract(overlay: string | null): { readonly contractText: string; readonly contractDocument: unknown } {
  // The overlay must be set before the contract is read.
  if (overlay !== null) setOverlay(overlay);
  const contract: typeof import('../../openapi/contract/load.ts') = require('../../openapi/contract/load.ts');
  // Reads the operations: an overlay must not remove what their requests need.
  require('../../openapi/contract/operations.ts');
  if (contract.overlayRefused !== null) throw new Error(contract.overlayRefused.replace(/^OVERLAY/, 'The overlay'));
  return contract;
}

export const contractCommand = defineCommand({
  usage,
  options: {
    overlay: { type: 'string', multiple: true },
    out: { type: 'string' },
    bare: { type: 'boolean' },
    clauses: { type: 'boolean' },
  },
  positionals: [0, 0],
  run({ values: { overlay: names = [], out, bare: isBare = false, clauses: isCatalogue = false } }, print) {
    const overlays = names.map((name) => ({ name, text: readNamed(name, () => readUserText(name, 'overlay')) }));
    const { contractText, contractDocument } = loadContract(overlays.length === 0 ? null : joinOverlays(overlays));
    const document = isBare ? removeExtensions(contractDocument) : contractDocument;
    const isUnchanged = overlays.length === 0 && !isBare;
    const { renderCatalogue }: typeof import('../../openapi/catalogue.ts') = require('../../openapi/catalogue.ts');
    if (isCatalogue) writeOrPrint(out, renderCatalogue(), print);
    else if (out?.endsWith('.json')) writeOrPrint(out, `${JSON.stringify(document, null, 2)}\n`, print);
    else if (isUnchanged) writeOrPrint(out, contractText, print);
    else writeOrPrint(out, stringify(document, { lineWidth: 120, aliasDuplicateObjects: false }), print);
    return 0;
  },
});

void runIfMain(__filename, contractCommand);
