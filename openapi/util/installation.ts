/** Says whether the suite runs from a clone or from its package, and how the user starts its commands. */

/** Only the package has compiled files. */
export const isPackage = __filename.endsWith('.js');

export const packageName = 'bank-open-api-conformance';

/** Replaces the commands of a clone (`npm run doctor`) in a text with the commands of this installation. */
export function replaceCommands(text: string): string {
  if (!isPackage) return text;
  return text
    .replaceAll('npm run conformance', `npx ${packageName}`)
    .replaceAll(/npm run ([a-z-]+)(?: --)?/g, `npx ${packageName} $1`);
}
