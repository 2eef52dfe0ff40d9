/** Tests which values of the settings are secrets, and that the last scan before writing withholds only texts with a secret. */
import { expect, test } from '@playwright/test';
import { Redactor, collectSecrets } from '../../../../fixtures/run/redaction/redactor.ts';
import { collectVocabulary, findWeakSecrets } from '../../../../fixtures/run/redaction/secrets.ts';
import { makeTarget, locateTlsFile } from '../../support/servers.ts';
import { encodeBase64, STRONG_SECRETS } from './secret-samples.ts';

test('Each credential, extra header, proxy password and line of a private key in the settings is a secret', () => {
  const target = makeTarget('https://bank.example', {
    CLIENT_ID: 'an-id-1',
    CLIENT_SECRET: 's3cret',
    ACCESS_TOKEN: 't0ken',
    EXTRA_HEADERS: 'X-Key: k3y\nX-Link: https://portal.example/s3cret',
    HTTPS_PROXY: 'http://user:p%40ss@proxy.example:3128',
    TLS_CERT: locateTlsFile('client.crt'),
    TLS_KEY: locateTlsFile('client-locked.key'),
    TLS_PASSPHRASE: 'open-sesame',
  });
  const secrets = collectSecrets(target);
  expect(secrets.filter(({ name }) => name !== 'TLS_KEY').map(({ name, value }) => `${name}=${value}`)).toEqual([
    'CLIENT_ID=an-id-1',
    'CLIENT_SECRET=s3cret',
    'ACCESS_TOKEN=t0ken',
    'TLS_PASSPHRASE=open-sesame',
    'EXTRA_HEADERS=k3y',
    'EXTRA_HEADERS=https://portal.example/s3cret',
    'PROXY_USER=user',
    'PROXY_PASSWORD=p@ss',
    `PROXY_AUTHORIZATION=${encodeBase64('user:p@ss')}`,
  ]);
  expect(secrets.filter(({ name }) => name === 'TLS_KEY')).toHaveLength(3);
});

const target = makeTarget('https://api.sandbox-bank.example/gateway-7f', {
  CLIENT_ID: 'mobile-client',
  CLIENT_SECRET: 'Zr7%kQ2-mWx9/Lp4v',
  ACCESS_TOKEN: '20240917',
  EXTRA_HEADERS: JSON.stringify({
    'X-Origin-Name': 'https://portal.partner.example',
    'X-Forwarded-Host': 'api.sandbox-bank.example',
    'X-Upstream': 'edge-2.partner.example:8443',
    'X-Peer': '198.51.100.7',
    'X-Channel': 'application/vnd.partner.v2+json; charset=utf-8',
    'X-Requested-With': 'XMLHttpRequest',
    'X-Tenant': 'retail banking',
    'X-Path': '/api/bank/revolving-loans/v1/validations',
    'X-Field': 'avaliable_limit',
    'X-Locale': 'tr-TR',
    'X-Version': '12',
    'X-Api-Key': 'Hh83kd02LsPq',
    'X-Pin': 'a4711',
  }),
});

test('Addresses and media types in EXTRA_HEADERS are no secrets, and the plan names secrets that are too weak to find in texts', () => {
  expect(findWeakSecrets(target)).toEqual(['CLIENT_ID', 'ACCESS_TOKEN', 'EXTRA_HEADERS (X-Pin)']);
  const mask = new Redactor(collectSecrets(target), { vocabulary: collectVocabulary(target) });
  for (const value of Object.values(target.extraHeaders).filter((text) => !/4711|Hh83/.test(text)))
    expect(mask.maskScalar({ value, type: 'string' })).toBe(value);
  expect(mask.maskText('portal.partner.example, the avaliable_limit, a4711')).not.toContain('$');
  expect(mask.maskText('key Hh83kd02LsPq')).toBe('key $EXTRA_HEADERS');
  expect(mask.maskScalar({ value: 'a4711', type: 'string' })).toBe('$EXTRA_HEADERS');
});

test('A secret that begins with the address of the bank is found by its other parts, and the address alone is no secret', () => {
  const url = 'https://api.sandbox-bank.example/gateway-7f/callback/Uw8s7Qm2Zx5Tb';
  const mask = new Redactor([{ name: 'EXTRA_HEADERS', value: url }], { vocabulary: collectVocabulary(target) });
  const harmless = 'https://api.sandbox-bank.example/gateway-7f/api/v1/atms';
  expect(mask.maskText(harmless)).toBe(harmless);
  expect(mask.maskText(`see ${url}`)).toBe('see $EXTRA_HEADERS');
  expect(mask.hasSecret('x/Uw8s7Qm2Zx5Tb')).toBe(true);
});

test('The last scan withholds each text that contains a secret, names its place, and changes nothing else', () => {
  const secrets = [...STRONG_SECRETS, { name: 'EXTRA_HEADERS', value: 'Hh83kd02LsPq', source: 'X-Api-Key' }];
  const mask = new Redactor(secrets);
  const documentWithoutSecrets = {
    target: { name: 'a bank', numbers: [1, 2.5] },
    'a/b~c': [['x'], { deep: '$CLIENT_SECRET' }],
  };
  expect(mask.withhold(documentWithoutSecrets)).toEqual({ document: documentWithoutSecrets, withheld: [] });
  expect(mask.withhold(documentWithoutSecrets).document).toBe(documentWithoutSecrets);
  const document = {
    ...documentWithoutSecrets,
    'a/b~c': [['x', `y ${encodeBase64(STRONG_SECRETS[1]?.value ?? '')}`], { deep: 'a key, hh83KD02lspq', beside: 'z' }],
  };
  expect(mask.withhold(document)).toEqual({
    document: {
      ...documentWithoutSecrets,
      'a/b~c': [['x', '(withheld: CLIENT_SECRET)'], { deep: '(withheld: EXTRA_HEADERS (X-Api-Key))', beside: 'z' }],
    },
    withheld: [
      { secret: 'CLIENT_SECRET', pointer: '/a~1b~0c/0/1' },
      { secret: 'EXTRA_HEADERS (X-Api-Key)', pointer: '/a~1b~0c/1/deep' },
    ],
  });
});

test('The last scan does not find a short secret in the end of a name and the start of its value', () => {
  const mask = new Redactor([{ name: 'CLIENT_SECRET', value: 'secret-1' }]);
  const wrong = { 'X-GW-client-secret': '19vjpg9MhJSNzwWg9EJ0Aj5tACAfyhbI' };
  expect(mask.withhold(wrong)).toEqual({ document: wrong, withheld: [] });
  expect(mask.withhold({ 'X-GW-client-secret': 'my secret-1' }).withheld).toHaveLength(1);
});

test('The last scan withholds the name of a member that is a secret, and no number or digest', () => {
  const mask = new Redactor([
    { name: 'CLIENT_SECRET', value: 'w7Kd2-mPz9/XqT4v' },
    { name: 'CLIENT_ID', value: '471108150023' },
  ]);
  const document = {
    'x-w7Kd2-mPz9/XqT4v': 1,
    count: 471108150023,
    digest: 'a94a8fe5ccb19ba61c4c0873d391e987982fbbd3',
    id: '0b6f0c2e-5a0e-4d6b-9f57-2c8f3f0f9a11',
  };
  const { 'x-w7Kd2-mPz9/XqT4v': count, ...rest } = document;
  const name = '(withheld: CLIENT_SECRET)';
  expect(mask.withhold(document)).toEqual({
    document: { [name]: count, ...rest },
    withheld: [{ secret: 'CLIENT_SECRET', pointer: `/${name}` }],
  });
});
