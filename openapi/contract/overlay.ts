/**
 * An OpenAPI Overlay (1.0 or 1.1) that is applied to the contract before anything is read from it: a vendor's own words for
 * path segments and header names, or promises beyond the document. It is given once, before the contract is loaded.
 */
import { execFileSync } from 'node:child_process';
import { operationIds } from '../model/exchange.ts';

// Few runs have an overlay: what reads it is loaded where there is one.
const parse = (text: string): unknown => (require('yaml') as typeof import('yaml')).parse(text);

interface Overlay {
  readonly overlay?: unknown;
  readonly info?: { readonly title?: unknown };
  readonly actions?: readonly unknown[];
}

interface GivenOverlay {
  /** As it stands in its file. */
  readonly text: string;
  readonly title: string;
  readonly actions: number;
}

let given: GivenOverlay | null = null;
let taken = false;

/** What is wrong with an overlay, as the end of a sentence, or null. */
export function overlayFault(text: string): string | null {
  let overlay: Overlay | null;
  try {
    overlay = parse(text) as Overlay | null;
  } catch {
    return 'is neither YAML nor JSON';
  }
  if (typeof overlay?.overlay !== 'string' || !/^1\.[01]\.\d+$/.test(overlay.overlay))
    return 'is no OpenAPI Overlay 1.0 or 1.1';
  if (!Array.isArray(overlay.actions) || overlay.actions.length === 0) return 'has no actions';
  const targets = overlay.actions.map((action) => (action as { target?: unknown } | null)?.target);
  const wrong = targets.findIndex((target) => typeof target !== 'string' || !target.startsWith('$'));
  return wrong < 0 ? null : `has an action (number ${wrong + 1}) whose target is no JSONPath, which begins with $`;
}

/** Gives the overlay of this process. Throws where the contract has been read already, or another overlay was given. */
export function giveOverlay(text: string): void {
  if (given?.text === text) return;
  if (taken || given !== null) throw new Error('An overlay is given once, before the contract is read.');
  const { info, actions } = parse(text) as Overlay;
  given = {
    text,
    title: typeof info?.title === 'string' ? info.title : 'an overlay without a title',
    actions: actions?.length ?? 0,
  };
}

/** The overlay of this process, or null. From now on no other can be given. */
export function takeOverlay(): GivenOverlay | null {
  taken = true;
  return given;
}

interface Applied {
  readonly data: unknown;
  readonly resultData: { readonly unusedActions: readonly { readonly target?: unknown }[] };
}

/** The library answers later, and a contract is read at once: a process of its own waits for it. */
const applying = `
const { openapiOverlay } = require(${JSON.stringify(require.resolve('openapi-format'))});
const { document, overlaySet } = JSON.parse(require('node:fs').readFileSync(0, 'utf8'));
openapiOverlay(document, { overlaySet })
  .catch(({ message }) => ({ refused: message }))
  .then((answer) => process.stdout.write(JSON.stringify(answer)));`;

/** Characters of a contract at most. */
const MAX_CONTRACT = 100_000_000;

function applied(document: unknown, overlaySet: unknown): Applied {
  const text = execFileSync(process.execPath, ['-e', applying], {
    env: {},
    input: JSON.stringify({ document, overlaySet }),
    stdio: ['pipe', 'pipe', 'ignore'],
    maxBuffer: MAX_CONTRACT,
    encoding: 'utf8',
  });
  const answer = JSON.parse(text) as Applied | { readonly refused: string };
  if ('refused' in answer) throw new Error(answer.refused);
  return answer;
}

/** The eleven operations that must still be there, each with a success of a schema. */
function operationsIn(document: unknown): readonly string[] {
  const { paths = {} } = document as {
    paths?: Readonly<Record<string, Readonly<Record<string, { operationId?: string; responses?: object }>>>>;
  };
  return Object.values(paths).flatMap((item) =>
    Object.values(item).flatMap(({ operationId, responses = {} }) =>
      operationId !== undefined && Object.keys(responses).some((status) => /^2(?:XX|\d\d)$/.test(status))
        ? [operationId]
        : [],
    ),
  );
}

/**
 * `document` with the overlay applied; it is not changed itself. Throws one sentence where an action finds nothing to act
 * on, or where an operation got lost.
 */
export function applyOverlay(document: unknown, text: string): unknown {
  const { data, resultData } = applied(document, parse(text));
  const [unused] = resultData.unusedActions;
  if (unused !== undefined)
    throw new Error(
      `The overlay's action on ${JSON.stringify(unused.target)} finds nothing in the contract to act on.`,
    );
  const left = operationsIn(data);
  const lost = operationIds.find((id) => left.filter((one) => one === id).length !== 1);
  if (lost !== undefined)
    throw new Error(
      `With the overlay the contract has the operation ${lost} ${left.includes(lost) ? 'twice' : 'no longer'}.`,
    );
  return data;
}
