import { failure, type Path, type Problem } from '../../../core/problem.ts';
import type { SourceSpec } from './source-schema.ts';

/** Keys of a source that describe separated values, or the header of a file, and not columns at fixed places. */
const NOT_WITH_FIXED = ['delimiter', 'quote', 'escape', 'header', 'columns'] as const;

/** What is wrong with a source although each of its keys is right. */
export function sourceProblems(source: SourceSpec, path: Path): readonly Problem[] {
  const problems: Problem[] = [];
  const conflict = (key: string, other: string): void =>
    void problems.push(failure('mapping_keys_conflict', [...path, key], { key, other }));
  const needs = (key: string, needed: string): void =>
    void problems.push(failure('mapping_needs', [...path, key], { needed }));
  const { fixed, header, columns, quote, escape, delimiter, trailer } = source;
  if (fixed) {
    // That there is no header is what fixed columns say by themselves.
    for (const key of NOT_WITH_FIXED)
      if (source[key] !== undefined && source[key] !== false) conflict(key, 'fixed');
    if (fixed.every(({ name }) => name === undefined)) needs('fixed', 'a column with a `name`');
  } else if (columns && header !== false) needs('columns', '`header: false` beside it');
  else if (header === false && !columns) needs('header', '`columns`, the names of the cells');
  if (quote === 'none' && escape !== undefined) conflict('escape', 'quote: none');
  if (delimiter !== undefined && delimiter === quote) conflict('quote', 'delimiter');
  if (trailer?.fixed && !fixed) conflict('trailer', 'delimiter');
  if (trailer?.count_of !== undefined && trailer.count === undefined)
    needs('trailer', '`count` for `count_of`');
  if (source.decimal_mark !== undefined && source.decimal_mark === source.thousands_mark)
    conflict('thousands_mark', 'decimal_mark');
  const names = columns ?? fixed?.flatMap(({ name }) => name ?? []) ?? [];
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined)
    problems.push(
      failure('mapping_value_invalid', [...path, columns ? 'columns' : 'fixed'], {
        expected: `a list of different names; \`${twice}\` stands there twice`,
      }),
    );
  return problems;
}
