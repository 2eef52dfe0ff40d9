/** Servers of other makes: nothing is said against them as they are, and of each of their bugs something is. */
import { expect, test } from '@playwright/test';
import type { Report } from '../../../reports/model/report.ts';
import { examineUrl } from '../support/examine.ts';
import { thorough } from '../support/thorough.ts';
import { otherServers, type OtherServer } from './servers.ts';

/** The verdict on a server that is started for it, sound or with one of its bugs, and the clauses of its findings. */
async function examined({ start }: OtherServer, bug?: string): Promise<[Report['verdict'], readonly string[]]> {
  const { baseUrl, clientId, clientSecret, accessToken, close } = await start(bug);
  try {
    const env = { CLIENT_ID: clientId, CLIENT_SECRET: clientSecret, ACCESS_TOKEN: accessToken };
    const { verdict, findings } = await examineUrl(baseUrl, { env });
    return [verdict, findings.map(({ clause, received }) => `${clause}: ${received}`)];
  } finally {
    await close();
  }
}

for (const server of otherServers) {
  const { name, start, bugs } = server;
  test(`Nothing is said against ${name} as it is`, async () => {
    expect(await examined(server)).toEqual(['conformant', []]);
  });

  test(`${name} starts with no other bug than its own`, async () => {
    await expect(start('no-such-bug')).rejects.toThrow('unknown bug');
  });

  for (const [bug, story] of Object.entries(bugs.must))
    test(`${name} fails where ${story}`, thorough, async () => {
      expect((await examined(server, bug))[0]).toBe('non-conformant');
    });

  for (const [bug, story] of Object.entries(bugs.should))
    test(`${name} is warned where ${story}`, thorough, async () => {
      const [verdict, findings] = await examined(server, bug);
      expect([verdict, findings.length > 0]).toEqual([expect.not.stringMatching(/^non-/), true]);
    });

  for (const [bug, story] of Object.entries({ ...bugs.sometimes, ...bugs.unseen }))
    test(`${name} fails nothing where ${story}`, thorough, async () => {
      const [verdict, findings] = await examined(server, bug);
      expect([verdict, bug in bugs.unseen ? findings : []]).toEqual(['conformant', []]);
    });
}
