/** What the suite says of a server of this folder, sound or with one of its bugs. */
import type { Report } from '../../../reports/model/report.ts';
import { examineUrl } from '../support/examine.ts';
import type { OtherServer } from './servers.ts';

/** The report on a server that is started for it. */
export async function examineServer({ start }: OtherServer, bug?: string): Promise<Report> {
  const { baseUrl, clientId, clientSecret, accessToken, close } = await start(bug === undefined ? {} : { bug });
  try {
    const env = { CLIENT_ID: clientId, CLIENT_SECRET: clientSecret, ACCESS_TOKEN: accessToken };
    return await examineUrl(baseUrl, { env, evidence: false });
  } finally {
    await close();
  }
}

/** `failed`, `warned` or `silent`, or the verdict where it is none of these. */
export const noticed = ({ verdict, findings }: Report): string =>
  verdict === 'non-conformant'
    ? 'failed'
    : findings.length > 0
      ? 'warned'
      : verdict === 'conformant'
        ? 'silent'
        : verdict;
