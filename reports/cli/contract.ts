/** `npm run contract`: prints the contract, or with an overlay the exact document of one bank. */
import { stringify } from 'yaml';
import { parseYaml } from '../../openapi/files/parse.ts';
import { readNamed, readUserText } from '../../openapi/files/user-file.ts';
import { setOverlay, findOverlayFault } from '../../openapi/contract/overlay.ts';
import { defineCommand, runIfMain, writeOrPrint } from '../../openapi/util/command.ts';

const usage = `Prints the contract.

  npm run contract -- [options]

  --overlay <file>   applies an OpenAPI Overlay; may be repeated
  --out <file>       writes to a file; as JSON if its name ends in .json, which every HTTP client imports
  --bare             leaves out the extensions that only this suite reads (x-clause and others)
  --clauses          prints all clauses instead, with their statements and controls
  --help             this text
`;

function removeExtensions(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(removeExtensions);
  if (typeof value !== 'object' || value === null) return value;
  const own = new Set(['x-clause', 'x-should', 'x-outcome', 'x-forms', 'x-request-headers']);
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, child]) => (own.has(name) ? [] : [[name, removeExtensions(child)]])),
  );
}

/** Joins several overlays to one: their actions, one after the other. Throws an error of one sentence. */
function joinOverlays(overlays: readonly { readonly name: string; readonly text: string }[]): string {
  for (const { name, text } of overlays) {
    const fault = findOverlayFault(text);
    if (fault !== null) throw new Error(`${name} ${fault}.`);
  }
  const read = overlays.map(({ text }) => parseYaml(text) as { overlay: string; info?: object; actions: object[] });
  const [first] = overlays;
  if (first !== undefined && overlays.length === 1) return first.text;
  const [overlay] = read.map((one) => one.overlay).toSorted((a, b) => (a < b ? 1 : -1));
  return JSON.stringify({ overlay, info: read[0]?.info, actions: read.flatMap(({ actions }) => actions) });
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
