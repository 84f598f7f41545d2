import { literalPattern } from '../table/total-rows.ts';
import type { FileProfile, Subtotals } from '../inspection.ts';
import { counted } from '../column/occurrences.ts';
import { comment, flowYaml, shownName, type Questions } from './draft-text.ts';

/** Words of amounts that a page takes over from the page before. */
const CARRIED = /^[*\s]*(?:carried|brought|übertrag|vortrag|riporto)/iu;

/** Whether the file shows that rows are totals. A person decides about the others. */
export function isRead(rows: Subtotals): boolean {
  return rows.sumsSinceLast.length + rows.sumsSinceStart.length > 0 || CARRIED.test(rows.word);
}

/** The lines about rows of totals between the rows, and about lines of pages. They have effect, because a row of data among them is an error. */
export function totalLines({ table, columns, layout }: FileProfile): readonly string[] {
  const nameOf = (column: number): string => columns[column - 1]?.name ?? `COLUMN_${column}`;
  const isCarried = ({ word }: Subtotals): boolean => CARRIED.test(word);
  const between = table.subtotals.filter(
    (rows) => isCarried(rows) || (rows.sumsSinceLast.length > 0 && !isGrandTotal(rows)),
  );
  const patterns = [
    ...table.pageLines.map(({ pattern }) => pattern),
    ...between.map((rows) => totalPattern(rows, columns.length, layout.delimiter ?? ',')),
  ];
  if (patterns.length === 0) return [];
  const pages = [...table.pageLines, ...between.filter(isCarried)].reduce((sum, { count }) => sum + count, 0);
  return [
    ...(pages === 0 ? [] : comment(`${counted(pages, 'line')} of pages, which are no rows.`)),
    ...between
      .filter((rows) => !isCarried(rows))
      .flatMap(({ word, count, lines, sumsSinceLast }) =>
        comment(
          `${counted(count, 'row')} with ${shownName(word)} (first on line ${lines[0]}): the exact sum of ${sumsSinceLast.map((column) => shownName(nameOf(column))).join(', ')} since the one before.`,
        ),
      ),
    `page_lines: ${flowYaml(patterns)}`,
  ];
}

/** A regular expression of rows with the same word and the same empty cells. */
function totalPattern({ column, word, text, filled }: Subtotals, width: number, delimiter: string): string {
  const mark = literalPattern(delimiter);
  const any = `[^${mark}]*`;
  const cells = Array.from({ length: width }, (_, at) => {
    if (at + 1 === column) return text === null ? `\\s*${literalPattern(word)}${any}` : literalPattern(text);
    return filled.includes(at + 1) ? any : '';
  });
  return `^${cells.join(mark)}$`;
}

/** Whether rows have the sums of all rows, at the end of the file. A single total at the end is one, too. */
function isGrandTotal({ isAtEnd, count, sumsSinceStart }: Subtotals): boolean {
  return isAtEnd && count === 1 && sumsSinceStart.length > 0;
}

function totalOf(
  { column, word, text }: Subtotals,
  sums: readonly number[],
  nameOf: (column: number) => string,
): object {
  return {
    cell: column,
    ...(text === null
      ? { matches: String.raw`^\s*${literalPattern(word)}(?![\p{L}\p{N}])` }
      : { equals: text }),
    sums: sums.map((cell) => ({ cell, column: nameOf(cell) })),
  };
}

/** The question about the control records at the end. */
export function trailerLines({ table, columns }: FileProfile, questions: Questions): readonly string[] {
  const { trailer } = table;
  const nameOf = (column: number): string => columns[column - 1]?.name ?? `COLUMN_${column}`;
  const grand = table.subtotals.filter(isGrandTotal);
  const found = [
    ...grand.map((rows) => ({
      line: rows.lines[0]!,
      facts: rows.sumsSinceStart.map((cell) => `cell ${cell} is the exact sum of ${shownName(nameOf(cell))}`),
      keys: totalOf(rows, rows.sumsSinceStart, nameOf),
    })),
    ...(trailer ? [lastRow(trailer, table.rows, nameOf)] : []),
  ];
  const [first, ...others] = found;
  if (!first) return [];
  if (others.length === 0) {
    const why = first.facts.length === 0 ? '' : `: ${first.facts.join('; ')}`;
    const lines = Object.entries(first.keys).map(([key, value]) => `  ${key}: ${flowYaml(value)}`);
    return questions.askWhole(`is line ${first.line} a control record${why}?`, ['trailer:', ...lines]);
  }
  const why = found.map(({ line, facts }) => [`line ${line}`, ...facts].join(': ')).join('; ');
  const lines = found.map(({ keys }) => `  - ${flowYaml(keys)}`);
  return questions.askWhole(`are these lines control records? ${why}.`, ['trailer:', ...lines]);
}

function lastRow(
  {
    line,
    cells,
    mark,
    hasOtherWidth,
    countCells,
    countLabel,
    sums,
  }: NonNullable<FileProfile['table']['trailer']>,
  rows: number,
  nameOf: (column: number) => string,
): { line: number; facts: readonly string[]; keys: object } {
  const [countCell] = countCells;
  const different = sums.filter(({ cell }, at) => sums.findIndex((each) => each.cell === cell) === at);
  const facts = [
    ...(hasOtherWidth ? [`it has ${counted(cells, 'cell')}`] : []),
    ...countCells.map((cell) => `cell ${cell} is the number of rows, ${rows}`),
    ...(countLabel === null ? [] : [`cell ${countLabel.cell} has the number of rows, ${rows}`]),
    ...sums.map(({ cell, column }) => `cell ${cell} is the exact sum of ${shownName(nameOf(column))}`),
  ];
  const found = countLabel
    ? { cell: countLabel.cell, matches: countLabel.pattern }
    : mark
      ? { cell: mark.cell, equals: mark.text }
      : { cell: 1, equals: 'WORD' };
  const count = countLabel?.cell ?? countCell;
  const keys = {
    ...found,
    ...(count === undefined ? {} : { count }),
    ...(different.length === 0
      ? {}
      : { sums: different.map(({ cell, column }) => ({ cell, column: nameOf(column) })) }),
  };
  return { line, facts, keys };
}
