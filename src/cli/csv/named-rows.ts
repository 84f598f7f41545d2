import { sentenceOf } from '../../core/error-codes/sentence.ts';
import { suggestion } from '../../core/suggestion.ts';
import { delimiterHint } from './opening.ts';
import { readSource } from './read-source.ts';
import { openSourceFile, type SourceFile } from './source-file.ts';
import { RFC_4180, type SourceFormat } from './source-format.ts';
import { cellCountProblem, eachItem } from './source-row.ts';

/** A row of a small table. */
export type NamedRow = { readonly line: number; cell(name: string): string };

/** Makes the error of a line, with a reason that ends a sentence. */
export type RefuseLine = (line: number, reason: string) => Error;

/**
 * The rows of a file of CSV whose columns are known by name, such as a list that a person has filled in.
 * @throws AppError `file_not_readable`, and those of `refuse`
 */
export async function* namedRows(
  file: string,
  columns: readonly string[],
  { cwd, refuse }: { cwd: string; refuse: RefuseLine },
): AsyncGenerator<NamedRow> {
  const source = await openSourceFile(file, cwd);
  try {
    yield* rowsByName(source, columns, refuse);
  } finally {
    await source.close();
  }
}

/** The rows of an open file. A column that is missing is refused, and so is a row that cannot be read. */
export async function* rowsByName(
  source: SourceFile,
  columns: readonly string[],
  refuse: RefuseLine,
  format: SourceFormat = RFC_4180,
): AsyncGenerator<NamedRow> {
  let header: readonly string[] = [];
  for await (const item of eachItem(readSource(source, format))) {
    if (item.kind === 'header') {
      header = item.names;
      const missing = columns.find((name) => !header.includes(name));
      if (missing !== undefined) throw refuse(item.line, withoutColumn(missing, header, format));
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
  if (header.length === 0) throw refuse(1, 'the file is empty');
}

function withoutColumn(missing: string, header: readonly string[], { delimiter }: SourceFormat): string {
  const other = delimiterHint(header);
  const named = delimiter === ',' ? 'commas' : JSON.stringify(delimiter);
  const why =
    other === undefined
      ? suggestion(missing, header)
      : `: the whole header is one cell, and it has ${other}, while the cells of this file are separated by ${named}`;
  return `there is no column \`${missing}\`${why}`;
}
