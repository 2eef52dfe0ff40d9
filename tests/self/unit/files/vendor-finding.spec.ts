/**
 * Tests `npm run report -- conformance.json --finding 3`: one finding as Markdown for a ticket, in which text of the bank stays
 * text.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { reportCommand } from '../../../../reports/cli/report.ts';
import { writeFinding } from '../../../../reports/formats/finding.ts';
import type { Report } from '../../../../reports/model/report.ts';
import { runInProcess } from '../../support/command.ts';
import { expect, test } from '../../support/reports/samples.ts';
import { makeTempDir, makeTempFile } from '../../support/temp-dir.ts';

/** Splits Markdown into fenced blocks and the text around them, without code spans. Throws if a fence stays open. */
function splitParts(markdown: string): { readonly blocks: readonly string[]; readonly around: string } {
  const blocks: string[] = [];
  const around: string[] = [];
  let open: { readonly fence: string; readonly lines: string[] } | null = null;
  for (const line of markdown.split('\n')) {
    const [, fence = ''] = /^ {0,3}(`{3,}|~{3,})/.exec(line) ?? [];
    if (open === null && fence !== '') open = { fence, lines: [] };
    else if (open === null) around.push(line.replaceAll(/(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)/g, ''));
    else if (fence.startsWith(open.fence) && line.trim() === fence) {
      blocks.push(open.lines.join('\n'));
      open = null;
    } else open.lines.push(line);
  }
  if (open !== null) throw new Error('A fence stays open.');
  return { blocks, around: around.join('\n') };
}

test('The ticket of a finding has clause, operation, wrong value, both exchanges and the curl line', async ({
  faulty,
}) => {
  const at = faulty.findings.findIndex(({ contrast, curl }) => contrast !== null && curl !== null);
  const { clause, operation, received, curl } = faulty.findings[at]!;
  const file = makeTempFile('conformance.json', JSON.stringify(faulty));
  const { status, out } = await runInProcess(reportCommand, file, '--finding', `${at + 1}`);
  expect(status, out).toBe(0);
  const { blocks } = splitParts(out);
  for (const part of [`\`${clause}\``, `\`${operation}\``, '**Document:** ', '**Seen:** in '])
    expect(out).toContain(part);
  expect(blocks).toEqual(expect.arrayContaining([received, curl]));
  expect(blocks.filter((text) => /^HTTP status \d+$/m.test(text))).toHaveLength(2);
  expect(out).toContain('$CLIENT_SECRET');

  const out2 = path.join(makeTempDir(), 'ticket.md');
  expect(await runInProcess(reportCommand, file, '--finding', `${at + 1}`, '--out', out2)).toMatchObject({ status: 0 });
  expect(readFileSync(out2, 'utf8')).toBe(writeFinding(faulty, faulty.findings[at]!));
  for (const number of ['0', '-1', 'x', '1.5', '9999'])
    expect(await runInProcess(reportCommand, file, `--finding=${number}`)).toEqual({
      status: 2,
      out: expect.stringMatching(/^--finding is "[^"]*": give a number from 1 to \d+\.\n$/),
    });
});

test('The ticket says that values are replaced if it shows payment tokens or recorded traffic', ({ faulty }) => {
  const namesPseudonyms = (report: Report, operation: string) =>
    writeFinding(
      report,
      report.findings.find((finding) => report.exchanges[finding.exchange]?.operation === operation)!,
    ).includes(' are replaced by pseudonyms of the same form.');
  expect([namesPseudonyms(faulty, 'createPaymentLink'), namesPseudonyms(faulty, 'findAtms')]).toEqual([true, false]);
  const recording = { source: 'a.har', others: 0, incomplete: 0 } as unknown as NonNullable<Report['recording']>;
  expect(namesPseudonyms({ ...faulty, recording }, 'findAtms')).toBe(true);
});

test('Hostile texts of a bank stay inside their code blocks in a ticket, and add no mark-up', ({ faulty }) => {
  for (const hostileText of [
    '```\n<script>alert(1)</script>\n# Title',
    '`````\n~~~~~~~~\n`````` `` ` <img src=x onerror=alert(1)>',
    '[a](javascript:alert(1)) ![b](http://evil.example/x.png) www.evil.example @admin <!-- ',
    '\u001b]8;;http://x\u0007\u202e</code></pre>\r\n\r\n- [ ] task',
  ]) {
    const finding = faulty.findings.find(({ contrast }) => contrast !== null)!;
    const record = faulty.exchanges[finding.exchange]!;
    const baseUrl = `https://bank.example/${hostileText}`;
    const hostile = {
      ...record,
      id: hostileText,
      request: {
        ...record.request,
        url: `${baseUrl}/${hostileText}`,
        body: hostileText,
        headers: { 'X-A': hostileText },
      },
      response: {
        status: 200,
        headers: [[hostileText, hostileText]] as const,
        body: hostileText,
        encoding: 'utf-8' as const,
      },
    };
    const markdown = writeFinding(
      {
        ...faulty,
        target: { ...faulty.target, name: hostileText, build: hostileText, baseUrl },
        exchanges: { ...faulty.exchanges, [finding.exchange]: hostile },
      },
      {
        ...finding,
        statement: hostileText,
        clause: hostileText,
        operation: hostileText,
        pointer: hostileText,
        expected: hostileText,
        received: hostileText,
      },
    );
    const { blocks, around } = splitParts(markdown);
    expect(blocks).toHaveLength(7);
    expect(around).not.toMatch(/[<>[\]@]|https?:|www\./);
    expect(around.split('\n').filter((line) => line.startsWith('#'))).toHaveLength(1);
    expect(markdown).not.toMatch(/(?![\n\t])[\p{Cc}\p{Cf}]/u);
  }
});
