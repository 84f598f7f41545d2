import { counted } from '../column/occurrences.ts';
import type { FileProfile } from '../inspection.ts';
import { literalPattern } from '../../../core/values/literal-pattern.ts';
import { spacePattern } from '../table/patterns.ts';
import type { Subtotals } from '../table/total-rows.ts';
import { comment, flowYaml, shownName, type Questions } from './draft-text.ts';

/** Leaves out lines of pages, and asks about rows of totals between the rows. */
export function totalLines({ table, columns, layout }: FileProfile, questions: Questions): readonly string[] {
  const pages = table.pageLines.map(({ pattern }) => pattern);
  const count = table.pageLines.reduce((sum, each) => sum + each.count, 0);
  const lines = `${counted(count, 'line')} of pages`;
  if (table.subtotals.length === 0)
    return count === 0 ? [] : [...comment(`${lines}, which are no rows.`), `page_lines: ${flowYaml(pages)}`];
  const totals = table.subtotals.map(
    ({ word, count: rows, lines: [first] }) =>
      `${counted(rows, 'row')} with ${shownName(word)} (first on line ${first})`,
  );
  const patterns = table.subtotals.map((rows) => totalPattern(rows, columns.length, layout.delimiter ?? ','));
  return questions.ask({
    text: `are these lines totals or parts of a page, and no rows? ${[...totals, ...(count === 0 ? [] : [lines])].join('; ')}.`,
    key: 'page_lines',
    answers: [[...patterns, ...pages].map((pattern) => `- ${flowYaml(pattern)}`)],
    parts: [...totals, ...table.pageLines.map(({ lines: [first] }) => `line ${first} of a page`)].map(
      (fact) => ({
        fact,
      }),
    ),
    isOptional: true,
    how: 'Remove the "# " of each pattern whose lines are no rows, or the line `page_lines:` when every line is a row.',
  });
}

/** A regular expression of rows with the same word and the same empty cells. */
function totalPattern({ column, word, spaces, filled }: Subtotals, width: number, delimiter: string): string {
  const mark = literalPattern(delimiter);
  const any = `[^${mark}]*`;
  const cells = Array.from({ length: width }, (_, at) => {
    if (at + 1 === column) return `${spacePattern(spaces)}${literalPattern(word)}${any}`;
    return filled.includes(at + 1) ? any : '';
  });
  return `^${cells.join(mark)}$`;
}

/** What shows that the last row is a control record. */
export function trailerFacts({ table: { trailer, rows }, columns }: FileProfile): readonly string[] {
  if (!trailer) return [];
  const { mark, cells, hasOtherWidth, count, sums } = trailer;
  return [
    ...(mark ? [`cell ${mark.cell} says ${mark.text}`] : []),
    ...(hasOtherWidth ? [`it has ${counted(cells, 'cell')}`] : []),
    ...(count === null ? [] : [`cell ${count.cell} has the number of rows, ${rows}`]),
    ...sums.map(
      ({ cell, column }) => `cell ${cell} is the exact sum of ${shownName(columns[column - 1]!.name)}`,
    ),
  ];
}

/** The question about the control record at the end. */
export function trailerLines(content: FileProfile, questions: Questions): readonly string[] {
  const { trailer } = content.table;
  if (!trailer) return [];
  const { line, mark, count, sums } = trailer;
  const found = count?.pattern
    ? { cell: count.cell, matches: count.pattern }
    : mark
      ? { cell: mark.cell, equals: mark.text }
      : { cell: 1, equals: 'WORD' };
  const different = sums.filter(({ cell }, at) => sums.findIndex((each) => each.cell === cell) === at);
  const columnOf = (column: number): string | null => content.columns[column - 1]!.name;
  const keys = {
    ...found,
    ...(count && { count: count.cell }),
    ...(different.length > 0 && {
      sums: different.map(({ cell, column }) => ({ cell, column: columnOf(column) })),
    }),
  };
  return questions.ask({
    text: `is line ${line} a control record? ${trailerFacts(content).join('; ')}.`,
    key: 'trailer',
    answers: [Object.entries(keys).map(([key, value]) => `${key}: ${flowYaml(value)}`)],
    isOptional: true,
  });
}
