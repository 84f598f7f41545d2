import { counted } from '../counted.ts';
import type { InspectedText } from '../inspection.ts';
import { comment, flowYaml, shownName, type Questions } from './draft-text.ts';

/** What stands behind the last row of data. */
export function endLines(
  content: InspectedText,
  hasEndMark: boolean,
  questions: Questions,
): readonly string[] {
  const mark = hasEndMark
    ? [...comment('The file ends in 1A, the end mark of DOS programs.'), 'end_mark: true']
    : [];
  return [...trailerLines(content, questions), ...mark];
}

function trailerLines({ table, columns }: InspectedText, questions: Questions): readonly string[] {
  const { trailer } = table;
  if (!trailer) return [];
  const nameOf = (column: number): string => columns[column - 1]?.name ?? `COLUMN_${column}`;
  const facts = [
    ...(trailer.hasOtherWidth ? [`it has ${counted(trailer.cells, 'cell')}`] : []),
    ...trailer.countCells.map((cell) => `cell ${cell} is the number of rows, ${table.rows}`),
    ...trailer.sums.map(
      ({ cell, column }) => `cell ${cell} is the exact sum of ${shownName(nameOf(column))}`,
    ),
  ];
  const mark = trailer.mark ?? { cell: 1, text: 'WORD' };
  const lines = ['trailer:', `  cell: ${mark.cell}`, `  equals: ${flowYaml(mark.text)}`];
  if (trailer.countCells[0] !== undefined) lines.push(`  count: ${trailer.countCells[0]}`);
  const sums = trailer.sums.filter(
    ({ cell }, at) => trailer.sums.findIndex((sum) => sum.cell === cell) === at,
  );
  if (sums.length > 0)
    lines.push(`  sums: ${flowYaml(sums.map(({ cell, column }) => ({ cell, column: nameOf(column) })))}`);
  const why = facts.length === 0 ? '' : `: ${facts.join('; ')}`;
  return questions.askWhole(`is line ${trailer.line} a control record${why}?`, lines);
}
