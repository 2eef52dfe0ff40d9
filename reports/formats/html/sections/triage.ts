/** Lets a reader mark findings as known and answers as pinned. Needs the script of the page, and is hidden without it. */
import { makeBehaviourProfile } from '../../../baseline/behaviour-profile.ts';
import { VOLATILE_POINTS } from '../../../model/behaviour-profile.ts';
import type { Finding, Report } from '../../../model/report.ts';
import { toJson } from '../../../text/sanitize.ts';
import { html, type Markup } from '../markup.ts';

/** Makes the input to mark the findings of a cause as known, with a reason. */
export function renderKnownMark(findings: readonly Finding[]): Markup {
  const places: Record<string, Record<string, string[]>> = {};
  for (const { clause, operation, pointer } of findings) {
    const pointers = ((places[clause] ??= {})[operation] ??= []);
    if (!pointers.includes(pointer)) pointers.push(pointer);
  }
  const named = findings[0]?.clause ?? '';
  return html`<p class="triage on-screen" data-triage hidden><label><input type="checkbox" data-known="${JSON.stringify(places)}"> Known</label> <input type="text" data-reason placeholder="Reason" aria-label="${`Reason why ${named} is known`}"></p>`;
}

/** Makes the input to mark the answers to an open point as pinned. */
export function renderPinMark(point: string): Markup | '' {
  if (VOLATILE_POINTS.has(point)) return '';
  return html`<label class="triage on-screen" data-triage hidden><input type="checkbox" data-pin="${point}" aria-label="${`Pin ${point}`}"> pin</label>`;
}

/** Makes the form that creates the files, with the behaviour profile as data. */
export function renderTriageForm(report: Report): Markup {
  const profile = toJson(makeBehaviourProfile(report)).replace(/\n\s*/g, '');
  return html`<form class="triage on-screen" id="triage" hidden aria-label="Known findings and pins">
<label>Owner <input type="text" name="owner" autocomplete="name"></label> <label>Until <input type="date" name="expires"></label>
<button type="button" id="save-known">Download known-findings.yaml</button> <button type="button" id="save-pins">Download dialect.json with pins</button>
<p class="small soft">Mark findings as known, or answers to open points as pinned, and download the files. The next run reads them with KNOWN=known-findings.yaml and PINS=dialect.json. <strong id="triage-status" role="status"></strong></p></form><pre id="profile" hidden>${profile}</pre>`;
}
