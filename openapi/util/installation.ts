/** Whether the suite runs from a clone or from its package, and how its commands are started there. */

/** True for the compiled package. */
export const isPackage = __filename.endsWith('.js');

export const packageName = 'bank-open-api-conformance';

/** A text with commands (`npm run doctor`) as they are started where the suite is installed. */
export function withCommands(text: string): string {
  if (!isPackage) return text;
  return text
    .replaceAll('npm run conformance', `npx ${packageName}`)
    .replaceAll(/npm run ([a-z-]+)(?: --)?/g, `npx ${packageName} $1`);
}
