/** `npm run contract`: prints the contract. With an overlay, this is the precise document of one implementation. */
import { stringify } from 'yaml';
import { contractText } from '../../openapi/contract/load.ts';
import { readForeignText } from '../../openapi/foreign/json.ts';
import { document } from '../../openapi/contract/schema.ts';
import { applyOverlay, overlayFault } from '../../openapi/contract/overlay.ts';
import { defineCommand, runIfMain, writeOrPrint } from '../../openapi/util/command.ts';

const usage = `Prints the contract.

  npm run contract -- [options]

  --overlay <file>   applies an OpenAPI Overlay, such as dialect.overlay.yaml of a run; may be repeated
  --out <file>       writes to a file
  --bare             leaves out the extensions that only this suite reads (x-clause and others)
  --help             this text
`;

/** Removes the extensions of this suite from the document. */
function bare(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(bare);
  if (typeof value !== 'object' || value === null) return value;
  const own = new Set(['x-clause', 'x-should', 'x-outcome', 'x-forms', 'x-request-headers']);
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, child]) => (own.has(name) ? [] : [[name, bare(child)]])),
  );
}

/** Applies overlays to the contract, one after the other. Throws an error of one sentence. */
function contractWith(overlays: readonly { readonly name: string; readonly text: string }[]): unknown {
  let made: unknown = document;
  for (const { name, text } of overlays) {
    const fault = overlayFault(text);
    if (fault !== null) throw new Error(`${name} ${fault}.`);
    made = applyOverlay(made, text);
  }
  return made;
}

/** `npm run contract`. */
export const contractCommand = defineCommand({
  usage,
  options: { overlay: { type: 'string', multiple: true }, out: { type: 'string' }, bare: { type: 'boolean' } },
  positionals: [0, 0],
  run({ values }, print) {
    const overlays = (values.overlay ?? []).map((name) => ({ name, text: readForeignText(name, 'an overlay') }));
    const made = contractWith(overlays);
    const text =
      overlays.length === 0 && values.bare !== true
        ? contractText
        : stringify(values.bare === true ? bare(made) : made, { lineWidth: 120, aliasDuplicateObjects: false });
    writeOrPrint(values.out, text, print);
    return 0;
  },
});

void runIfMain(__filename, contractCommand);
