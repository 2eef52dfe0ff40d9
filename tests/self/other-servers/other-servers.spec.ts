/** Tests that a server written in another way has no finding: no expectation of the suite is only a habit of the reference bank. */
import { expect, test } from '@playwright/test';
import { examineUrl } from '../support/examine.ts';
import { startPlainHttp } from './server.ts';

test('A conforming server that is written by hand in plain Node.js has no finding', async () => {
  const { baseUrl, clientId, clientSecret, accessToken, close } = await startPlainHttp();
  try {
    const env = { CLIENT_ID: clientId, CLIENT_SECRET: clientSecret, ACCESS_TOKEN: accessToken };
    const { verdict, findings } = await examineUrl(baseUrl, { env });
    expect([verdict, ...findings.map(({ clause, received }) => `${clause}: ${received}`)]).toEqual(['conformant']);
  } finally {
    close();
  }
});
