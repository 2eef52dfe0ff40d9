/** Tests the generated banks: their files are unchanged, a seed always gives the same banks, and some requests show each bug. */
import { expect, test } from '@playwright/test';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { drawAdmissible, families } from '../../../../fixtures/banks/drawn/admissible.ts';
import { bugClasses, drawBugs, witnessWorks } from '../../../../fixtures/banks/drawn/bugs.ts';
import { hashText } from '../../../../openapi/util/hash.ts';
import { countByClass, describeDrawn, listDrawnRemarks, listFalseAlarms } from '../../proof/proof.ts';
import { drawSizes } from './examine-drawn.ts';

/**
 * Do not change the grammar after reading the scenarios, or the list of missed bugs: the suite would then be trained for its
 * own figure. Change it only if a drawn bank is not what its class says (by the document alone), or if you
 * know the document alone. Put the figures before and after the change into the same commit.
 */
const frozenDigest = 'e06f20fcaf9813cbf707837244b1be82eb540973e18560443e85fe56c63de543';
const drawnBanksFolder = join(__dirname, '../../../../fixtures/banks/drawn');

test('The files that generate banks have the frozen digest', () => {
  const files = readdirSync(drawnBanksFolder).sort();
  const text = files.map((file) => `${file}\n${readFileSync(join(drawnBanksFolder, file), 'utf8')}`).join('\n');
  expect(hashText(text)).toBe(frozenDigest);
});

test('A seed generates the same banks each time, and another seed generates other banks', async () => {
  const values = async (seed: string) => JSON.stringify(await drawBugs(seed, 12));
  expect(await values('one')).toBe(await values('one'));
  expect(await values('other')).not.toBe(await values('one'));
  const names = (seed: string) => drawAdmissible(seed, 12).map(({ name }) => name);
  expect(names('one')).toEqual(names('one'));
  expect(names('other')).not.toEqual(names('one'));
});

test('The requests that a generated bug names show the bug, and show nothing at the bank without the bug', async () => {
  const { seed, hands, count } = drawSizes.inTests;
  for (let hand = 0; hand < hands; hand++)
    for (const bug of await drawBugs(`${seed}.${hand}`, count)) {
      expect(await witnessWorks(bug), bug.name).toBe(true);
      expect(await witnessWorks({ ...bug, open: bug.openSound }), bug.name).toBe(false);
    }
});

test('Each class of bugs is generated as often as it has cards, and each family of conforming banks at least once', async () => {
  const count = bugClasses.reduce((sum, { cards }) => sum + cards, 0);
  // The second half continues the draw of the first half.
  const drawn = [...(await drawBugs('all.0', count / 2)), ...(await drawBugs('all.1', count / 2))];
  for (const { name, cards } of bugClasses) expect(drawn.filter((bug) => bug.class === name)).toHaveLength(cards);
  const laid = new Set(drawAdmissible('all', 200).flatMap((bank) => bank.families));
  expect([...laid].sort()).toEqual(families.map(({ name }) => name).sort());
});

test('The figures of a proof count noticed bugs and alarms, and name each missed bug and each alarm', () => {
  const bug = { name: 'a bug', seed: 's.0/1', class: 'limit', level: 'should', found: [] } as const;
  const bank = { name: 'a bank', seed: 's.0/2', families: ['fee'], isBroken: false } as const;
  const alarm = { clause: 'atms.data', level: 'must', found: 'fail atms.data' } as const;
  const drawn = {
    seed: 's',
    bugs: [{ ...bug, outcome: 'noticed' } as const, { ...bug, outcome: 'missed' } as const],
    banks: [
      { ...bank, alarms: [alarm] },
      { ...bank, alarms: [] },
    ],
  };
  expect(describeDrawn(drawn)).toEqual([
    'of 2 drawn bugs, 1 noticed (DRAW=s)',
    'on 2 drawn admissible banks, 1 with an alarm (must: 1) (DRAW=s)',
  ]);
  expect(countByClass(drawn)).toEqual([
    ['bugs: limit', '1 of 2 noticed'],
    ['admissible: fee', '1 alarms on 2'],
  ]);
  expect(listDrawnRemarks(drawn)).toEqual(['missed (should) a bug [s.0/1]', 'alarm on a bank [s.0/2]: fail atms.data']);
  expect(listFalseAlarms(drawn).map(({ seed }) => seed)).toEqual(['s.0/2']);
});
