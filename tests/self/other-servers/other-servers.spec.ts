/** Servers written in other ways: without a bug they have no finding, and with each bug they have a finding. */
import { expect, test } from '@playwright/test';
import { examineUrl } from '../support/examine.ts';
import { THOROUGH_ONLY } from '../support/thorough.ts';
import { bugs as fastifySqliteBugs, startFastifySqlite } from './fastify-sqlite/server.ts';
import { bugs as plainHttpBugs, startPlainHttp } from './plain-http/server.ts';

for (const [name, start, bugs] of [
  ['fastify-sqlite', startFastifySqlite, fastifySqliteBugs],
  ['plain-http', startPlainHttp, plainHttpBugs],
] as const) {
  /** Starts a server with or without a bug, and returns the verdict and the clauses of its findings. */
  const examined = async (bug?: string) => {
    const { baseUrl, clientId, clientSecret, accessToken, close } = await start(bug);
    try {
      const env = { CLIENT_ID: clientId, CLIENT_SECRET: clientSecret, ACCESS_TOKEN: accessToken };
      const { verdict, findings } = await examineUrl(baseUrl, { env });
      return { verdict, found: findings.map(({ clause, received }) => `${clause}: ${received}`) };
    } finally {
      await close();
    }
  };

  test(`${name} has no finding as it is, and refuses the name of an unknown bug`, async () => {
    expect(await examined()).toEqual({ verdict: 'conformant', found: [] });
    await expect(start('no-such-bug')).rejects.toThrow('unknown bug');
  });

  for (const [bug, story] of Object.entries(bugs.must))
    test(`${name} fails with this bug: ${story}`, THOROUGH_ONLY, async () => {
      expect((await examined(bug)).verdict).toBe('non-conformant');
    });

  for (const [bug, story] of Object.entries(bugs.should))
    test(`${name} gets a warning with this bug: ${story}`, THOROUGH_ONLY, async () => {
      const { verdict, found } = await examined(bug);
      expect([verdict, found.length > 0]).toEqual([expect.not.stringMatching(/^non-/), true]);
    });
}
