/** Tests that no printed text controls a terminal or a CI system. */
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { toPrintable, toPrintLine } from '../../../../openapi/foreign/print.ts';
import { makeScriptWords, runProcess } from '../../support/command.ts';
import { makeTempFile } from '../../support/temp-dir.ts';

/** Matches commands of CI systems in a log line. */
const CI_COMMAND = /^\s*::|##(?:\[|vso\[|teamcity\[)/m;
const ACTING_CHARACTER = /(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;

const hostileTexts = [
  '::set-output name=x::y',
  '\u00a0\u3000::stop-commands::x',
  'x\r::error::x',
  'x\u2028::error::x',
  'x\u0085::error::x',
  'x\v::error::x\f::add-mask::y',
  '###[error]x ##vso[task.setvariable variable=a]b ##teamcity[x]',
  '\u001b]0;title\u0007\u001b[8mhidden\u001b[2J\u009b31m',
  'section_start:1:x\r\u001b[0K',
  '\u001b]1338;url=http://x\u0007',
  'a\u202eb\u2066c\u200bd\ufeffe\ud800f\ufdd0g\u3164h',
];

test('Control characters and CI commands in a printed text are escaped', () => {
  for (const text of hostileTexts)
    for (const shown of [toPrintable(text), toPrintable(`a\n${text}`), toPrintLine(text), toPrintable(text, true)]) {
      expect(shown).not.toMatch(CI_COMMAND);
      expect(shown).not.toMatch(ACTING_CHARACTER);
      expect(toPrintable(shown)).toBe(shown);
    }
});

test('Only the colour codes of the summary are printed, and only if the terminal has colours', () => {
  const coloured = '\u001b[1m\u001b[31mred\u001b[39m\u001b[22m \u001b[5mblinks\u001b[0m \u001b[48;5;9mground';
  expect(toPrintable(coloured, true)).toBe(
    '\u001b[1m\u001b[31mred\u001b[39m\u001b[22m \\u001b[5mblinks\\u001b[0m \\u001b[48;5;9mground',
  );
  expect(toPrintable(coloured)).not.toMatch(ACTING_CHARACTER);
});

test('FORCE_COLOR prints colours, NO_COLOR and FORCE_COLOR=0 print none', async () => {
  const program = `import { chooseColours, print } from ${JSON.stringify(join(__dirname, '../../../../openapi/foreign/print.ts'))};
import { wantsColours } from ${JSON.stringify(join(__dirname, '../../../../fixtures/run/config/process-env.ts'))};
chooseColours(wantsColours());
print('\\u001b[31mred');`;
  for (const [env, hasColours] of [
    [{ NO_COLOR: '1' }, false],
    [{ NO_COLOR: '1', FORCE_COLOR: '3' }, true],
    [{ FORCE_COLOR: '0' }, false],
  ] as const) {
    const { out } = await runProcess(makeScriptWords(makeTempFile('prints.ts', program)), env);
    expect([env, out.includes('\u001b[31mred')]).toEqual([env, hasColours]);
  }
});

const printModule = join(__dirname, '../../../../openapi/foreign/print.ts');

async function printInProcess(call: string, texts: readonly string[]): Promise<string> {
  const program = `import { ${call} } from ${JSON.stringify(printModule)};
for (const text of ${JSON.stringify(texts)}) ${call}(text);`;
  return (await runProcess(makeScriptWords(makeTempFile('prints.ts', program)))).out;
}

test('A CI command that is printed in several pieces is escaped', async () => {
  const pieces = [':', ':error::a\n', '  ', ':', ':b\n', '#', '#[c]\n', 'word', '::d\n', ' '.repeat(99), '::e\n'];
  const out = await printInProcess('print', pieces);
  expect(out).not.toMatch(CI_COMMAND);
  expect(out.replaceAll(' ', '')).toBe(pieces.join('').replaceAll(' ', ''));
});

test('Annotations are the only CI commands that are printed', async () => {
  const out = await printInProcess('printAnnotations', [
    '::error file=a.yaml,line=3,title=t::one\u001b[31m ##[group]x\n::warning title=t::two\n::notice title=t::three\n::add-mask::x\n::error::x\n word\n',
  ]);
  expect(out.split('\n')).toEqual([
    '::error file=a.yaml,line=3,title=t::one\\u001b[31m # #[group]x',
    '::warning title=t::two',
    '::notice title=t::three',
    ': :add-mask::x',
    ': :error::x',
    ' word',
    '',
  ]);
});
