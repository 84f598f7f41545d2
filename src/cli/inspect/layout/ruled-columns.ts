import type { RuledColumns } from '../inspection.ts';
import type { TextLine } from '../bytes/text-lines.ts';

/** Groups of dashes with spaces between them, as SQL*Plus and other reports draw them under the names of columns. */
const RULER = /^ *[-=]{2,}(?: +[-=]{2,})+ *$/;

/** Columns at fixed places, as a line of dashes under a header shows them; undefined when no such line is in the first lines. */
export function ruledColumns(head: readonly TextLine[]): RuledColumns | undefined {
  const at = head.findIndex(({ text }, index) => index > 0 && RULER.test(text));
  const names = head[at - 1]?.text ?? '';
  if (at < 1 || names.trim() === '') return undefined;
  const ruler = head[at]!;
  const groups = [...ruler.text.matchAll(/[-=]+/g)];
  const columns = groups.flatMap(({ index, 0: dashes }, number) => {
    const before = number === 0 ? 0 : groups[number - 1]!.index + groups[number - 1]![0].length;
    const name = names.slice(index, groups[number + 1]?.index).trim();
    const column = { name: name === '' ? `COLUMN_${number + 1}` : name, width: dashes.length };
    return index > before ? [{ name: null, width: index - before }, column] : [column];
  });
  const length = columns.reduce((sum, { width }) => sum + width, 0);
  const rest = head.slice(at + 1);
  const end = rest.findIndex(({ text }) => text.trim() === '' || RULER.test(text));
  const rows = rest.slice(0, end < 0 ? undefined : end);
  return {
    line: ruler.number,
    columns,
    above: head.slice(0, at + 1).map(({ text }) => text),
    isTrimmed: rows.some(({ text }) => text.length < length),
  };
}
