import type { Path } from '../../../core/problem.ts';
import { alternativesOf, type FieldSpec, type JoinSpec, type ListSpec } from './field-spec.ts';
import { conditionsOf, isElsewhere, rowConditions, visitFields } from './field-visits.ts';
import type { MappingDocument } from './mapping.ts';
import { templateColumns } from './template.ts';

/** The columns that a mapping names in the file of the records, each once. A header has all of them. */
export function columnNames(document: MappingDocument): readonly string[] {
  const { source, continuation } = document;
  const visits = [...visitFields(document)].filter(({ path }) => !isNotInHeader(path));
  const conditions = [...visits.flatMap(conditionsOf), ...rowConditions(document)];
  return unique([
    ...visits.flatMap(({ spec }) => namesIn(spec)),
    ...conditions.flatMap(({ condition, path }) => (isElsewhere(path) ? [] : (condition.column ?? []))),
    ...visits.flatMap(({ spec }) => Object.keys(spec.join?.key ?? {})),
    ...visits.flatMap(({ spec }) => spec.each?.column ?? []),
    ...(continuation?.key ?? []),
    ...(source?.trailer ?? []).flatMap(({ sums = [] }) => sums.map(({ column }) => column)),
  ]);
}

/** The columns that a mapping names in a second file. */
export function joinedColumnNames({ key, item }: JoinSpec): readonly string[] {
  const specs = typeof item === 'object' && !Array.isArray(item) ? Object.values(item as object) : [item];
  const names = (specs as readonly FieldSpec[]).flatMap(alternativesOf).flatMap(namesIn);
  return unique([...Object.values(key), ...names]);
}

/** A file need not have all numbered columns of `repeat`. Columns of other items than those of rows are elsewhere. */
function isNotInHeader(path: Path): boolean {
  return path.some((part, at) => part === 'item' && path[at - 1] !== 'rows');
}

function namesIn({ column, template, debit, credit }: ListSpec): readonly string[] {
  return [column, debit, credit].flatMap((name) => name ?? []).concat(templateColumns(template));
}

const unique = (names: readonly string[]): readonly string[] => [...new Set(names)];
