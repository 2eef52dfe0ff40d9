/** A part of the script of the page. It marks findings as known and answers as pinned, and creates the files for KNOWN and PINS. */
export const TRIAGE_SCRIPT = `
/* Triage. */
const triage = byId('triage');
if (triage) {
  for (const part of [triage, ...all('[data-triage]')]) part.hidden = false;
  const say = (text) => { byId('triage-status').textContent = text; };
  const save = (name, text) => {
    const link = Object.assign(document.createElement('a'), { download: name, href: URL.createObjectURL(new Blob([text])) });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
    say(name + ' was made.');
  };
  triage.addEventListener('submit', (event) => event.preventDefault());
  byId('save-known').addEventListener('click', () => {
    const form = new FormData(triage);
    const [owner, expires] = ['owner', 'expires'].map((name) => String(form.get(name)).trim());
    const entries = all('input[data-known]').filter((box) => box.checked).flatMap((box) => {
      const reason = box.closest('[data-triage]').querySelector('[data-reason]').value.trim();
      return Object.entries(JSON.parse(box.dataset.known)).flatMap(([clause, at]) => Object.entries(at).flatMap(([operation, pointers]) => pointers.map((pointer) => ({ clause, operation, pointer, reason, owner, expires }))));
    });
    if (entries.length === 0) return say('Mark a finding as known first.');
    if (owner === '' || expires === '' || entries.some((entry) => entry.reason === ''))
      return say('Give a reason for each finding that is marked, an owner and an end.');
    const written = entries.map((entry) => Object.entries(entry).map(([name, value], at) => (at === 0 ? '  - ' : '    ') + name + ': ' + JSON.stringify(value)).join('\\n'));
    save('known-findings.yaml', 'known:\\n' + written.join('\\n') + '\\n');
  });
  byId('save-pins').addEventListener('click', () => {
    const points = all('input[data-pin]').filter((box) => box.checked).map((box) => box.dataset.pin);
    if (points.length === 0) return say('Mark an open point as pinned first.');
    const profile = JSON.parse(byId('profile').textContent);
    for (const point of profile.points) if (points.includes(point.point)) for (const question of point.questions) question.pinned = true;
    save('dialect.json', JSON.stringify(profile, null, 2) + '\\n');
  });
}
`;
