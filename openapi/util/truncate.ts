/** `text` in one line of at most `limit` characters, for a finding. */
export function truncate(text: string | undefined, limit = 160): string {
  const line = (text ?? 'undefined').slice(0, 8 * limit).replaceAll(/\s+/g, ' ');
  return line.length <= limit ? line : `${line.slice(0, limit - 1)}…`;
}
