import { sentenceOf } from '../../core/error-codes/sentence.ts';
import { delimiterHint } from './opening.ts';
import { readSource } from './read-source.ts';
import { openSourceFile } from './source-file.ts';
import { cellCountProblem, eachItem } from './source-row.ts';

/** A row of a small table. */
export type NamedRow = { readonly line: number; cell(name: string): string };

/**
 * The rows of a file of CSV whose columns are known by name, such as a list that a person has filled in. `refuse` makes the error of a
 * line, with a reason that ends a sentence.
 * @throws AppError `file_not_readable`, and those of `refuse`: for a column that is missing, and for a row that cannot be read
 */
export async function* namedRows(
  file: string,
  columns: readonly string[],
  { cwd, refuse }: { cwd: string; refuse: (line: number, reason: string) => Error },
): AsyncGenerator<NamedRow> {
  const source = await openSourceFile(file, cwd);
  let header: readonly string[] = [];
  try {
    for await (const item of eachItem(readSource(source))) {
      if (item.kind === 'header') {
        header = item.names;
        const missing = columns.find((name) => !header.includes(name));
        if (missing !== undefined) throw refuse(item.line, withoutColumn(missing, header));
      } else if (item.kind === 'row') {
        const { row } = item;
        const problem = cellCountProblem(row, header);
        if (problem) throw refuse(row.firstLine, sentenceOf(problem.code, problem.facts));
        yield { line: row.firstLine, cell: (name) => row.cells[header.indexOf(name)]! };
      } else if ('problem' in item && item.problem.severity === 'error') {
        const line = item.kind === 'broken' ? item.row.firstLine : item.line;
        throw refuse(line, sentenceOf(item.problem.code, item.problem.facts));
      }
    }
  } finally {
    await source.close();
  }
}

function withoutColumn(missing: string, header: readonly string[]): string {
  const delimiter = delimiterHint(header);
  const because = `: the whole header is one cell, and it has ${delimiter}, while the cells of this file are separated by commas`;
  return `there is no column \`${missing}\`${delimiter === undefined ? '' : because}`;
}
