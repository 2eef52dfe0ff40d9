/** Tests how the variables are read: right values into the target, and each wrong value into one clear sentence. */
import { expect, test } from '@playwright/test';
import { readTarget, withEmbeddedBank } from '../../../../fixtures/run/config/target.ts';
import { variableNames, type VariableName } from '../../../../fixtures/run/config/variables/index.ts';
import { ROOT_FOLDER } from '../../support/command.ts';
import { findConfigurationFaults, FOREIGN_BANK_ENV } from '../../support/configuration.ts';
import { locateTlsFile } from '../../support/servers.ts';

test('Without variables, the target is the embedded bank with all areas and the default caps', () => {
  const target = readTarget({});
  expect(target).toMatchObject({
    ...{ embedded: true, areas: ['loans', 'payment-links', 'atms'], reportDir: 'reports/out', readOnly: false },
    caps: { applications: 105, disbursements: 75, links: 90, amount: 100_000 },
  });
  const bank = { baseUrl: 'http://127.0.0.1:81/', clientId: 'a', clientSecret: 'b', accessToken: 'c' };
  expect(withEmbeddedBank(target, bank)).toMatchObject({
    embedded: true,
    baseUrl: 'http://127.0.0.1:81',
    clientSecret: 'b',
  });
});

/** Valid values, and the part of the target that they set. */
const validValues: Record<string, [env: Record<string, string>, part: Record<string, unknown>]> = {
  'prefix with a slash': [
    { BASE_URL: ' https://Bank.example:8443/Gate%2Fway/v2/ ' },
    { baseUrl: 'https://bank.example:8443/Gate%2Fway/v2' },
  ],
  IPv6: [{ BASE_URL: 'http://[::1]:8080/a' }, { baseUrl: 'http://[::1]:8080/a' }],
  none: [
    { CLIENT_ID: 'none', CLIENT_SECRET: 'none', ACCESS_TOKEN: 'none' },
    { clientId: null, clientSecret: null, accessToken: null },
  ],
  command: [
    { ACCESS_TOKEN: '', ACCESS_TOKEN_COMMAND: 'x y' },
    { accessToken: null, accessTokenCommand: 'x y' },
  ],
  'a token with its scheme': [{ ACCESS_TOKEN: 'Bearer  T0ken' }, { accessToken: 'T0ken', namesScheme: true }],
  'ATMs without a token': [
    { ACCESS_TOKEN: '', AREAS: 'atms' },
    { areas: ['atms'], accessToken: null },
  ],
  'areas in any order': [{ AREAS: 'atms, loans,atms' }, { areas: ['loans', 'atms'] }],
  'extra headers in lines': [{ EXTRA_HEADERS: 'X-A: b:c\n\nx-d:  e ' }, { extraHeaders: { 'X-A': 'b:c', 'x-d': 'e' } }],
  'extra headers in JSON': [
    { EXTRA_HEADERS: '{"X-A": "b", "constructor": "c"}' },
    { extraHeaders: { 'X-A': 'b', constructor: 'c' } },
  ],
  'who, what and how often': [
    { TARGET_NAME: 'Acme', TARGET_BUILD: '1', REPORT_DIR: 'out', SEED: '-5', RUNS: '100', REPLAY: 'a:b' },
    { name: 'Acme', build: '1', reportDir: 'out/replay', seed: -5, runs: 100, replay: 'a:b' },
  ],
  flags: [
    { STRICT: '1', READ_ONLY: 'TRUE', OVER_LIMIT: '0', PROBE_CREDENTIALS: 'false' },
    { strict: true, readOnly: true, overLimit: false, probeCredentials: false },
  ],
  caps: [
    { MAX_APPLICATIONS: '0', MAX_DISBURSEMENTS: '1', MAX_LINKS: '2', MAX_AMOUNT: '0.5' },
    { caps: { applications: 0, disbursements: 1, links: 2, amount: 0.5 } },
  ],
  'test data': [
    {
      AMOUNTS: '100, 250.5',
      CURRENCIES: 'TRY,eur',
      CUSTOMER_IPS: '192.0.2.1,2001:db8::1',
      LANGUAGES: 'TR',
      POSITIONS: '41.01,28.97;-33.4, -70.6',
      PROVINCES: '34:001;06:002',
    },
    {
      testData: {
        amounts: [100, 250.5],
        currencies: ['TRY', 'eur'],
        customerIps: ['192.0.2.1', '2001:db8::1'],
        languages: ['TR'],
        positions: [
          { latitude: '41.01', longitude: '28.97' },
          { latitude: '-33.4', longitude: '-70.6' },
        ],
        provinces: [
          { province: '34', district: '001' },
          { province: '06', district: '002' },
        ],
      },
    },
  ],
  pace: [
    { IN_FLIGHT: '1', RATE_LIMIT: '0.5', TIMEOUT_MS: '500', MAX_DURATION: '1.5' },
    { inFlight: 1, rateLimit: 0.5, timeoutMs: 500, maxDurationMs: 1500 },
  ],
  'hosts by domain and port': [
    { BASE_URL: 'https://a.b.example', ALLOWED_HOSTS: 'Bank.example, *.b.example:443' },
    { allowedHosts: ['bank.example', '*.b.example:443'] },
  ],
  'proxy of the scheme': [{ HTTP_PROXY: 'http://a:1', HTTPS_PROXY: 'http://b:2' }, { proxy: 'http://b:2' }],
  'proxy in lower case': [{ https_proxy: 'c:3', HTTPS_PROXY: 'http://b:2' }, { proxy: 'http://c:3' }],
  'no proxy': [{ HTTPS_PROXY: 'http://b:2', NO_PROXY: 'localhost,.example' }, { proxy: null }],
  'classes that fail the gate, by default': [{}, { failOn: ['security', 'money'] }],
  'classes that fail the gate': [{ FAIL_ON: 'robustness, money' }, { failOn: ['money', 'robustness'] }],
  'no class that fails the gate': [{ FAIL_ON: 'none' }, { failOn: [] }],
  'blank is unset': [
    { RUNS: ' ', STRICT: '', AREAS: '' },
    { runs: 25, strict: false, areas: ['loans', 'payment-links', 'atms'] },
  ],
};

for (const [what, [env, part]] of Object.entries(validValues)) {
  test(`Valid variables are read into the target: ${what}`, () => {
    expect(readTarget({ ...FOREIGN_BANK_ENV, ...env })).toMatchObject(part);
  });
}

type Row = readonly [name: VariableName, value: string | undefined, words: RegExp];
const rows = (names: string, value: string, words: RegExp): readonly Row[] =>
  names.split(' ').map((name) => [name as VariableName, value, words]);

const wrongValues: readonly Row[] = [
  ['BASE_URL', '', /BASE_URL is empty/],
  ['BASE_URL', 'bank.example', /no http or https address/],
  ['BASE_URL', 'https://us:S3cret@bank.example', /holds credentials/],
  ['BASE_URL', 'https://bank.example/?key=S3cret', /query or a fragment/],
  ['BASE_URL', 'https://bank.example/a b', /blank/],
  ['BASE_URL', undefined, /BASE_URL is not set, though CLIENT_ID, CLIENT_SECRET, ACCESS_TOKEN are/],
  ['CLIENT_ID', undefined, /CLIENT_ID is not set/],
  ['CLIENT_SECRET', '', /CLIENT_SECRET is not set/],
  ['CLIENT_SECRET', 'S3cret\n', /ends with a blank or a line break/],
  ['CLIENT_SECRET', 'S3cret€x', /no HTTP header can carry/],
  ['ACCESS_TOKEN', undefined, /Neither ACCESS_TOKEN nor/],
  ['ACCESS_TOKEN_COMMAND', 'x', /both set/],
  ['EXTRA_HEADERS', 'S3cret', /a header whose name is none/],
  ['EXTRA_HEADERS', 'authorization: S3cret', /authorization, which the suite sends itself/],
  ['EXTRA_HEADERS', 'X-A: b\nx-a: S3cret', /x-a twice/],
  ['EXTRA_HEADERS', '{S3cret', /no JSON object/],
  ['TARGET_NAME', 'a\u0007b', /one line of text/],
  ...rows('USER_AGENT TARGET_BUILD REPLAY', 'a\nX-Other: b', /one line of text/),
  ['REPORT_DIR', 'a\0', /one line of text/],
  ['RENDER', 'sarif,pdf', /"pdf": give sarif, har, summary, annotations/],
  ['AREAS', 'loans,atm', /"atm": give loans, payment-links, atms/],
  ['OPERATIONS', 'findAtms,getLoan', /"getLoan": give validateLoan, /],
  ['SEED', '1.5', /whole number/],
  ['RUNS', 'many', /"many": give a whole number from 1 to 10000/],
  ['RUNS', '0', /from 1 to 10000/],
  ...rows('STRICT BAIL READ_ONLY OVER_LIMIT PROBE_CREDENTIALS', 'yes', /"yes": give 1 or 0/),
  ...rows('MAX_APPLICATIONS MAX_DISBURSEMENTS MAX_LINKS', '-1', /from 0 to/),
  ['MAX_AMOUNT', '1,000', /number above 0/],
  ['AMOUNTS', '5;6', /"5;6"/],
  ['AMOUNTS', '200000', /above MAX_AMOUNT \(100000\) alone/],
  ['CURRENCIES', 'TRY,EURO', /"EURO": give codes of three letters/],
  ['CUSTOMER_IPS', '1.2.3', /IP addresses/],
  ['LANGUAGES', 'TUR', /two letters/],
  ['POSITIONS', '91,0', /decimal degrees/],
  ['PROVINCES', '34', /province:district/],
  ...rows('IN_FLIGHT TIMEOUT_MS', '0', /from 1 to/),
  ...rows('RATE_LIMIT MAX_DURATION', '0', /above 0/),
  ['SOAK', 'an hour', /from 1 to 604800/],
  ['ALLOWED_HOSTS', 'https://bank.example', /host, host:port/],
  ['ALLOWED_HOSTS', 'staging.example', /which ALLOWED_HOSTS does not/],
  ['TLS_CERT', locateTlsFile('client.crt'), /TLS_KEY is not set/],
  ['TLS_KEY', locateTlsFile('client.key'), /TLS_CERT is not set/],
  ['TLS_PFX', locateTlsFile('client.p12'), /cannot be opened/],
  ['TLS_PASSPHRASE', 'S3cret', /without TLS_KEY or TLS_PFX/],
  ['TLS_CA', locateTlsFile('client.key'), /no certificate in PEM form/],
  ['HTTPS_PROXY', 'socks5://u:S3cret@b:2', /no http or https address of a proxy/],
  ['HTTPS_PROXY', 'http://u:S3cret%zz@b:2', /write %25/],
  ...rows('HTTP_PROXY NO_PROXY CHROME_PATH', '', /^$/),
  ...rows('OVERLAY HOOKS KNOWN BASELINE', '/no/such.file', /is not there: correct the path/),
  ['BASELINE', ROOT_FOLDER, /which is a folder: name a file in it/],
  ['FAIL_ON', 'everything', /security/],
  ['FAIL_ON', 'none,money', /none alone/],
];

for (const [name, value, words] of wrongValues) {
  test(`${name} ${value === undefined ? 'unset' : JSON.stringify(value.replace(ROOT_FOLDER, ''))}: ${words.source === '^$' ? 'no fault' : 'one sentence'}`, () => {
    const faults = findConfigurationFaults({ [name]: value });
    expect(faults.join('\n')).toMatch(words);
    expect(faults.length).toBeLessThanOrEqual(1);
    for (const fault of faults) {
      expect(fault).toMatch(/^[A-Z][^\n]*\.$/);
      for (const secret of ['S3cret', 'T0ken', 'an-id-of']) expect(fault).not.toContain(secret);
    }
  });
}

test('The table of wrong values has every variable', () => {
  const tried = new Set(wrongValues.map(([name]) => name));
  expect(variableNames.filter((name) => !tried.has(name))).toEqual([]);
});

test('One error reports five wrong variables, each in one sentence', () => {
  const faults = findConfigurationFaults({
    CLIENT_ID: '',
    CLIENT_SECRET: '',
    ACCESS_TOKEN: '',
    RUNS: 'x',
    STRICT: 'x',
  });
  expect(faults).toHaveLength(5);
  expect(faults.slice(0, 3).join('|')).toMatch(/CLIENT_ID is not set|CLIENT_SECRET is not set|Neither ACCESS_TOKEN/);
  expect(() => readTarget({ ...FOREIGN_BANK_ENV, RUNS: 'x', STRICT: 'x' })).toThrow(/RUNS is.*\nSTRICT is/);
});
