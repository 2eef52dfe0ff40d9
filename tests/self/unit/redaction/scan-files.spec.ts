/** Every secret of a target is known, and a last look finds it in whatever was written. */
import { mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from '@playwright/test';
import { redactor, scan, secretsOf, withhold } from '../../../../fixtures/redaction/redactor.ts';
import { targetAt, tlsFile } from '../../support/servers.ts';
import { base64, html, strong } from './secret-samples.ts';

test('Every secret of a target is known, the lines of its key too', () => {
  const target = targetAt('https://bank.example', {
    CLIENT_ID: 'an-id-1',
    CLIENT_SECRET: 's3cret',
    ACCESS_TOKEN: 't0ken',
    // The address of a host is no secret: payment links may stand below it.
    EXTRA_HEADERS: 'X-Key: k3y\nOrigin: https://portal.example\nX-Link: https://portal.example/s3cret',
    HTTPS_PROXY: 'http://user:p%40ss@proxy.example:3128',
    TLS_CERT: tlsFile('client.crt'),
    TLS_KEY: tlsFile('client-locked.key'),
    TLS_PASSPHRASE: 'open-sesame',
  });
  const secrets = secretsOf(target);
  expect(secrets.filter(({ name }) => name !== 'TLS_KEY').map(({ name, value }) => `${name}=${value}`)).toEqual([
    'CLIENT_ID=an-id-1',
    'CLIENT_SECRET=s3cret',
    'ACCESS_TOKEN=t0ken',
    'TLS_PASSPHRASE=open-sesame',
    'EXTRA_HEADERS=k3y',
    'EXTRA_HEADERS=https://portal.example/s3cret',
    'PROXY_USER=user',
    'PROXY_PASSWORD=p@ss',
    `PROXY_AUTHORIZATION=${base64('user:p@ss')}`,
  ]);
  expect(secrets.filter(({ name }) => name === 'TLS_KEY')).toHaveLength(3);
});

test('A scan names each file in which a secret stands, in any form, packed or not', () => {
  const folder = test.info().outputPath('report');
  mkdirSync(join(folder, 'deep'), { recursive: true });
  const mask = redactor(strong);
  const value = strong[1]?.value ?? '';
  const write = (name: string, content: string | Buffer) => writeFileSync(join(folder, name), content);
  write('sealed.intoto.jsonl', JSON.stringify({ payload: base64(JSON.stringify({ a: value })) }));
  write('clean.html', '<p>$CLIENT_SECRET</p>');
  write('clear.txt', `a ${value}`);
  write('deep/base64.json', JSON.stringify({ a: base64(`user:${value}`) }));
  write('deep/escaped.json', JSON.stringify({ a: JSON.stringify(value) }));
  write('edge.jsonl', `${'x'.repeat((1 << 20) - 5)}${encodeURIComponent(value)}`);
  write('far.jsonl', `${'x'.repeat(3_000_000)}${value}`);
  write('page.html', `<td>${html(value)}`);
  write('packed.gz', gzipSync(value));
  write('report.zip', zip('inner.txt', value));
  write('clean.zip', zip('inner.txt', 'nothing'));
  expect(scan(folder, mask)).toEqual([
    'clear.txt',
    'deep/base64.json',
    'deep/escaped.json',
    'edge.jsonl',
    'far.jsonl',
    'packed.gz',
    'page.html',
    'report.zip',
    'sealed.intoto.jsonl',
  ]);
});

test('A file with a secret is emptied where it was written since the run began', () => {
  const folder = test.info().outputPath('report');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'journal.jsonl');
  const mask = redactor(strong);
  writeFileSync(file, `a ${strong[0]?.value}`);
  expect(withhold(folder, mask, Date.now() + 60_000)).toEqual(['journal.jsonl']);
  expect(readFileSync(file, 'utf8')).not.toBe('');
  expect(withhold(folder, mask, Date.now() - 60_000)).toEqual(['journal.jsonl']);
  expect(readFileSync(file, 'utf8')).toBe('');
  expect(withhold(folder, mask, 0)).toEqual([]);
});

test('A file that the clock of its file system shows a moment too old is of the run', () => {
  const folder = test.info().outputPath('report');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'journal.jsonl');
  writeFileSync(file, `a ${strong[0]?.value}`);
  const since = Date.now();
  utimesSync(file, new Date(since - 20), new Date(since - 20));
  withhold(folder, redactor(strong), since);
  expect(readFileSync(file, 'utf8')).toBe('');
});

/** A zip archive with one file. */
function zip(name: string, content: string): Buffer {
  // A gzip stream without its head of ten bytes and tail of eight is bare deflate.
  const packed = gzipSync(content).subarray(10, -8);
  const local = Buffer.alloc(30);
  local.write('PK\u0003\u0004', 'latin1');
  local.writeUInt16LE(8, 8);
  local.writeUInt16LE(name.length, 26);
  const central = Buffer.alloc(46);
  central.write('PK\u0001\u0002', 'latin1');
  central.writeUInt16LE(8, 10);
  central.writeUInt32LE(packed.length, 20);
  central.writeUInt16LE(name.length, 28);
  const start = local.length + name.length + packed.length;
  const end = Buffer.alloc(22);
  end.write('PK\u0005\u0006', 'latin1');
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(start, 16);
  return Buffer.concat([local, Buffer.from(name), packed, central, Buffer.from(name), end]);
}
