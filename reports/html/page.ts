/** The report as one page: self-contained, readable without script and without network. */
import { createHash } from 'node:crypto';
import type { Report } from '../report.ts';
import { documentSection } from './document.ts';
import { evidenceSection } from './evidence.ts';
import { exchangesOfFindings, findingsSection } from './findings.ts';
import { firstScreen } from './first.ts';
import { h, own } from './markup.ts';
import { operationsSection } from './operations.ts';
import { exposureSection, faultsSection, openPointsSection, storiesSection } from './rest.ts';
import { targetName } from '../words.ts';
import { script } from './script.ts';
import { style } from './style.ts';

const hash = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Only the script of the page itself may run, and nothing may be fetched. */
const policy = `default-src 'none'; style-src 'unsafe-inline'; script-src ${hash(script)}; base-uri 'none'; form-action 'none'`;

/** Renders a report as one self-contained page. Pure: the same report gives the same page. */
export function renderHtml(report: Report): string {
  return h`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${report.headline}: ${targetName(report.target)}, Bank Open API</title>
<style>${own(style)}</style>
</head>
<body>
<a class="skip" href="#findings">Skip to the findings</a>
<main class="page">
${firstScreen(report)}
${faultsSection(report)}
${operationsSection(report)}
${findingsSection(report)}
${documentSection(report)}
${openPointsSection(report)}
${exposureSection(report)}
${storiesSection(report)}
${evidenceSection(report, exchangesOfFindings(report))}
<footer><p>Made by the Bank Open API conformance suite ${report.suite.version} from ${report.format}. Everything here is rendered from conformance.json.</p></footer>
</main>
<script>${own(script)}</script>
</body>
</html>
`.toString();
}
