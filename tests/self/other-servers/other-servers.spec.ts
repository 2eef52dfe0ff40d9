/** A server written in another way: without a bug it has no finding, and with each bug it has a finding. */
import { expect, test } from '@playwright/test';
import { examineUrl } from '../support/examine.ts';
import { THOROUGH_ONLY } from '../support/thorough.ts';
import { bugs, startPlainHttp } from './server.ts';

/** Starts the server with or without a bug, and returns the verdict and the clauses of its findings. */
async function examineServer(bug?: string) {
  const { baseUrl, clientId, clientSecret, accessToken, close } = await startPlainHttp(bug);
  try {
    const env = { CLIENT_ID: clientId, CLIENT_SECRET: clientSecret, ACCESS_TOKEN: accessToken };
    const { verdict, findings } = await examineUrl(baseUrl, { env });
    return { verdict, found: findings.map(({ clause, received }) => `${clause}: ${received}`) };
  } finally {
    close();
  }
}

test('The server has no finding as it is, and refuses the name of an unknown bug', async () => {
  expect(await examineServer()).toEqual({ verdict: 'conformant', found: [] });
  await expect(startPlainHttp('no-such-bug')).rejects.toThrow('unknown bug');
});

for (const [bug, story] of Object.entries(bugs.must))
  test(`The server fails with this bug: ${story}`, THOROUGH_ONLY, async () => {
    expect((await examineServer(bug)).verdict).toBe('non-conformant');
  });

for (const [bug, story] of Object.entries(bugs.should))
  test(`The server gets a warning with this bug: ${story}`, THOROUGH_ONLY, async () => {
    const { verdict, found } = await examineServer(bug);
    expect([verdict, found.length > 0]).toEqual([expect.not.stringMatching(/^non-/), true]);
  });
