/** Tests that no two uses of one account overlap, and that uses of other accounts do not wait. */
import { expect, test } from '@playwright/test';
import { Accounts } from '../../../../fixtures/run/session/accounts.ts';

/** Begins uses of accounts that end when the test says so. */
function openUses() {
  const accounts = new Accounts();
  const running = new Set<string>();
  const ends = new Map<string, (error?: Error) => void>();
  const work = (name: string) => async (): Promise<void> => {
    running.add(name);
    const error = await new Promise<Error | undefined>((resolve) => ends.set(name, resolve));
    running.delete(name);
    if (error !== undefined) throw error;
  };
  const begin = (name: string, names: readonly string[] | null): Promise<void> => accounts.use(names, work(name));
  const share = (name: string, account: string): Promise<void> => accounts.share(account, work(name));
  const end = async (name: string, error?: Error): Promise<void> => {
    ends.get(name)?.(error);
    await new Promise(setImmediate);
  };
  return { accounts, begin, end, share, listRunning: () => [...running].sort().join(' ') };
}

test('A second use of an account waits for the first, and a use of another account does not wait', async () => {
  const { begin, end, listRunning } = openUses();
  void begin('first', ['A']);
  void begin('second', ['A']);
  void begin('other', ['B']);
  await end('');
  expect(listRunning()).toBe('first other');
  await end('first');
  expect(listRunning()).toBe('other second');
});

test('A use that waits for two accounts keeps neither, so that no two uses wait for each other', async () => {
  const { begin, end, listRunning } = openUses();
  void begin('A', ['A']);
  void begin('both', ['A', 'B']);
  void begin('reverse', ['B', 'A']);
  void begin('B', ['B']);
  await end('');
  expect(listRunning()).toBe('A B');
  await end('A');
  expect(listRunning()).toBe('B');
  await end('B');
  expect(listRunning()).toBe('both');
  await end('both');
  expect(listRunning()).toBe('reverse');
});

test('A use of all accounts waits for earlier uses of single accounts, and later uses wait for the use of all accounts', async () => {
  const { begin, end, listRunning } = openUses();
  void begin('A', ['A']);
  void begin('all', null);
  void begin('none', []);
  await end('');
  expect(listRunning()).toBe('A none');
  await end('A');
  expect(listRunning()).toBe('all none');
  void begin('late', ['B']);
  await end('');
  expect(listRunning()).toBe('all none');
  await end('all');
  expect(listRunning()).toBe('late none');
});

test('Shared uses of an account run at the same time, but not at the same time as a use that is not shared', async () => {
  const { begin, end, share, listRunning } = openUses();
  void share('shared', 'A');
  void share('also shared', 'A');
  void begin('alone', ['A']);
  void share('late', 'A');
  void share('of another account', 'B');
  await end('');
  expect(listRunning()).toBe('also shared of another account shared');
  await end('shared');
  await end('also shared');
  expect(listRunning()).toBe('alone of another account');
  await end('alone');
  expect(listRunning()).toBe('late of another account');
});

test('A use that fails frees its accounts, and its caller gets the error', async () => {
  const { begin, end, listRunning } = openUses();
  const failing = begin('failing', ['A']).catch((error: unknown) => error);
  void begin('next', ['A']);
  await end('');
  await end('failing', new Error('the suite is broken'));
  expect(await failing).toEqual(new Error('the suite is broken'));
  expect(listRunning()).toBe('next');
});

test('sortByUse sorts accounts: free accounts first, then accounts with fewer uses', async () => {
  const { accounts, begin, end, share } = openUses();
  void begin('first', ['A']);
  void begin('second', ['A']);
  void begin('third', ['A']);
  void begin('only', ['B']);
  void share('shared', 'D');
  accounts.choose('C');
  accounts.choose('C');
  await end('');
  const offers = ['A', 'C', 'B', 'D'].map((account) => ({ account }));
  expect(accounts.sortByUse(offers).map(({ account }) => account)).toEqual(['D', 'B', 'C', 'A']);
  expect(['A', 'C', 'D'].map((account) => accounts.isFree(account))).toEqual([false, false, true]);
});

test('A released choice and a begun use of the account no longer count as a choice', async () => {
  const { accounts, begin, end } = openUses();
  for (const account of ['A', 'B', 'B']) accounts.choose(account);
  accounts.release('A');
  void begin('use', ['B']);
  expect(['A', 'B'].map((account) => accounts.countUses(account))).toEqual([0, 2]);
  await end('use');
  expect(accounts.countUses('B')).toBe(1);
});
