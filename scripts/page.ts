/** A page of docs/ that is written by a script. Each is reference. */
export function page(title: string, [first = '', ...lines]: readonly string[]): string {
  return [`# ${title}`, '', `**Reference.** ${first}`, ...lines, ''].join('\n');
}

/** A table in Markdown. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map((row) => line(row.map(escapeHtml)))];
}

/** Markdown would take `<name>` outside of code for HTML and drop it. */
function escapeHtml(cell: string): string {
  return cell.replaceAll(/`[^`]*`|<(\w+)>/g, (match, name: string | undefined) =>
    name === undefined ? match : `\\<${name}\\>`,
  );
}
