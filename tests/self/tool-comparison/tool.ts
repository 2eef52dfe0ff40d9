/** A tool that somebody might use instead. */

/** One bank to judge, and where to do it. */
export interface ToolContext {
  /** Where its packages are. */
  readonly home: string;
  /** A new empty folder. */
  readonly folder: string;
  readonly baseUrl: string;
  /** Files of the contract: OpenAPI 3.1, and the same in 3.0. */
  readonly contract31: string;
  readonly contract30: string;
  readonly credentials: { readonly clientId: string; readonly clientSecret: string; readonly accessToken: string };
}

export interface ComparedTool {
  readonly name: string;
  /** Exact versions, and where they come from. */
  readonly packages: readonly string[];
  readonly from: 'npm' | 'pypi';
  /** One line: how it is used, and where that differs from what it does by itself. */
  readonly settings: string;
  /** Judges the bank at `baseUrl` and names each failure it reports by what failed, without values that change. */
  judge(context: ToolContext): Promise<readonly string[]>;
}

/** The header fields that carry the credentials. */
export function headersOf({ credentials }: ToolContext): readonly (readonly [name: string, value: string])[] {
  const { clientId, clientSecret, accessToken } = credentials;
  return [
    ['X-GW-client-id', clientId],
    ['X-GW-client-secret', clientSecret],
    ['Authorization', `Bearer ${accessToken}`],
  ];
}

/** The names of the tests of a JUnit file that failed, each with the kinds of failure that it tells. */
export function failedIn(junit: string, kind: RegExp): readonly string[] {
  return [...junit.matchAll(/<testcase\b([^>]*?)(?:\/>|>([^]*?)<\/testcase>)/g)].flatMap(
    ([, attributes = '', inside = '']) => {
      if (!/<(?:failure|error)\b/.test(inside)) return [];
      const name = /\bname="([^"]*)"/.exec(attributes)?.[1] ?? '';
      const kinds = new Set([...inside.matchAll(kind)].map(([, one = '']) => one.trim()));
      return kinds.size === 0 ? [name] : [...kinds].map((one) => `${name}: ${one}`);
    },
  );
}
