/** Finds out whether the suite runs from a clone or from its package, and how the user starts commands. */

export const isPackage = __filename.endsWith('.js');

export const packageName = 'bank-open-api-conformance';

/** Replaces commands in a text (`npm run doctor`) with the commands of this installation. */
export function replaceCommands(text: string): string {
  if (!isPackage) return text;
  return text
    .replaceAll('npm run conformance', `npx ${packageName}`)
    .replaceAll(/npm run ([a-z-]+)(?: --)?/g, `npx ${packageName} $1`);
}
