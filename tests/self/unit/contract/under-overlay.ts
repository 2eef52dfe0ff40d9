/**
 * Examines banks under the overlay in OVERLAY, in its own process: a process reads the contract only once. Prints one JSON
 * object: for each dialect, the verdict and the failed clauses.
 */
import '../../../../fixtures/config/overlay.ts';
import { openVariant } from '../../../../fixtures/banks/lib/variant.ts';
import { findVariant } from '../../../../fixtures/banks/variants/index.ts';
import { examineBank } from '../../support/examine.ts';

async function printJudgements(): Promise<void> {
  const results: Record<string, unknown> = {};
  for (const name of process.argv.slice(2)) {
    const dialect = findVariant(name);
    const { verdict, findings, errors, reasons } = await examineBank(openVariant(dialect), { env: dialect.env ?? {} });
    results[name] = {
      verdict,
      reasons,
      errors,
      failed: [...new Set(findings.filter((finding) => finding.verdict === 'fail').map(({ clause }) => clause))].sort(),
    };
  }
  process.stdout.write(JSON.stringify(results));
}

void printJudgements();
