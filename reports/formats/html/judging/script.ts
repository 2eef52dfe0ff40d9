/** The judge as a script for the page. Making it takes a compiler and a bundler; both are loaded only where it is new. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { keep, kept, keyOf } from '../../../../openapi/util/cache.ts';

const here = fileURLToPath(new URL('.', import.meta.url));
const openapi = fileURLToPath(new URL('../../../../openapi', import.meta.url));

/** The texts of everything that the script is made from. */
function sources(): readonly string[] {
  return [here, openapi].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.(?:ts|yaml)$/.test(file))
      .sort()
      .flatMap((file) => [file, readFileSync(join(folder, file), 'utf8')]),
  );
}

let made: Promise<string> | undefined;

/** The script. It defines `selfJudging.rejudge`. Made once for all pages of a process. */
export function judgeScript(): Promise<string> {
  made ??= cached();
  return made;
}

async function cached(): Promise<string> {
  const key = keyOf('judge', ...sources());
  const known = kept(key);
  if (known !== null) return known;
  const { bundled } = await import('./bundle.ts');
  const script = await bundled();
  keep(key, script);
  return script;
}
