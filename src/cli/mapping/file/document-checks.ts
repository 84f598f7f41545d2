import { failure, type Path, type Problem } from '../../../core/problem.ts';
import type { ConditionSpec } from '../language/conditions.ts';
import type { FieldSpec } from '../language/field-spec.ts';
import { conditionsOf, visitFields, type FieldVisit } from '../language/field-visits.ts';
import type { MappingDocument } from '../language/mapping.ts';
import { hasOneMark, LAYOUT_KEYS, type SourceSpec } from '../language/source.ts';
import { cycleProblems, fieldProblems, missingFields, unreachable } from './field-checks.ts';

/** The problems of a mapping whose keys are all right by themselves, but do not go together. */
export function documentProblems(document: MappingDocument): readonly Problem[] {
  const { shape, source = {}, fields, filter = [], continuation } = document;
  const visits = [...visitFields(document)];
  // The supplier is given on the command line as often as in the file.
  const present = [...Object.keys(fields), 'import_supplier'];
  return [
    ...sourceProblems(source, ['source']),
    ...queryProblems(source),
    ...missingFields(present, shape, ['fields']),
    ...visits.flatMap((visit) => fieldProblems(visit, document)),
    ...visits.flatMap(({ spec: { join }, path }) =>
      join?.source ? sourceProblems(join.source, [...path, 'join', 'source']) : [],
    ),
    ...Object.entries(fields).flatMap(([name, spec]) => unreachable(spec, ['fields', name])),
    ...filter.flatMap((conditions, at) => noFieldYet(conditions, ['filter', at])),
    ...noFieldYet(continuation?.when ?? [], ['continuation', 'when']),
    ...circles(fields, visits),
  ];
}

/** Rows are left out and put together before their fields have values. */
function noFieldYet(conditions: readonly ConditionSpec[], path: Path): readonly Problem[] {
  const expected = 'a `column`, because rows have no fields yet';
  return conditions.flatMap(({ field }, index) =>
    field === undefined ? [] : [failure('mapping_value_invalid', [...path, index, 'field'], { expected })],
  );
}

/** Fields of the record whose conditions, or those of their items, wait for each other. */
function circles(
  fields: Readonly<Record<string, FieldSpec>>,
  visits: readonly FieldVisit[],
): readonly Problem[] {
  const needsOf = (name: string): readonly string[] =>
    visits
      .filter(({ path }) => path[1] === name)
      .flatMap((visit) => conditionsOf(visit).flatMap(({ condition }) => condition.field ?? []));
  return cycleProblems(Object.keys(fields), needsOf, ['fields']);
}

/** Keys of a source that describe separated values, or the header of a file, and not columns at fixed places. */
const NOT_WITH_FIXED = ['delimiter', 'quote', 'escape', 'header', 'columns'] as const;

/** Keys of a source that JSON Lines have no use for. */
const NOT_WITH_JSON_LINES = ['delimiter', 'quote', 'escape', ...LAYOUT_KEYS] as const;

/** The problems of a query: its parts, its tables, and keys that describe a file. */
function queryProblems(source: SourceSpec): readonly Problem[] {
  const { tables, sql } = source;
  const path: Path = ['source'];
  if ((tables === undefined) !== (sql === undefined)) {
    const [key, needed] = sql === undefined ? ['tables', '`sql`'] : ['sql', '`tables`'];
    return [failure('mapping_key_missing', [...path, key!], { needed: `${needed} beside it` })];
  }
  if (tables === undefined)
    return source.rows === undefined
      ? []
      : [failure('mapping_key_missing', [...path, 'rows'], { needed: '`sql` beside it' })];
  const ofFile = ['type', 'encoding', 'delimiter', 'quote', 'escape', ...LAYOUT_KEYS] as const;
  return [
    ...(Object.keys(tables).length === 0
      ? [failure('mapping_key_missing', [...path, 'tables'], { needed: 'a table' })]
      : []),
    ...ofFile.flatMap((key) =>
      source[key] === undefined
        ? []
        : [failure('mapping_keys_conflict', [...path, key], { other: '`sql`; it belongs to a table' })],
    ),
    ...Object.entries(tables).flatMap(([name, spec]) => {
      const at = [...path, 'tables', name];
      const other = '`tables`; give a pattern for each line';
      const skip =
        spec.skip === 'until header' ? [failure('mapping_keys_conflict', [...at, 'skip'], { other })] : [];
      return [...sourceProblems(spec, at), ...skip];
    }),
  ];
}

function sourceProblems(source: SourceSpec, path: Path): readonly Problem[] {
  const problems: Problem[] = [];
  const conflict = (key: string, other: string): void =>
    void problems.push(failure('mapping_keys_conflict', [...path, key], { other: `\`${other}\`` }));
  const needs = (key: string, needed: string): void =>
    void problems.push(failure('mapping_key_missing', [...path, key], { needed }));
  const { fixed, header, columns, quote, escape, delimiter } = source;
  if (source.type === 'jsonl') {
    for (const key of NOT_WITH_JSON_LINES) if (source[key] !== undefined) conflict(key, 'type: jsonl');
    if (source.encoding !== undefined && source.encoding !== 'utf-8') conflict('encoding', 'type: jsonl');
  }
  if (fixed) {
    // `header: false` is allowed, because a file with fixed columns has no header.
    for (const key of NOT_WITH_FIXED)
      if (source[key] !== undefined && source[key] !== false) conflict(key, 'fixed');
    if (fixed.every(({ name }) => name === undefined)) needs('fixed', 'a column with a `name`');
  } else if (columns && header !== false) needs('columns', '`header: false` beside it');
  else if (header === false && !columns) needs('header', '`columns`, the names of the cells');
  if (source.skip !== undefined && source.skip_lines !== undefined) conflict('skip_lines', 'skip');
  if (source.skip === 'until header' && (fixed || header === false))
    conflict('skip', fixed ? 'fixed' : 'header: false');
  if (quote === 'none' && escape !== undefined) conflict('escape', 'quote: none');
  if (delimiter !== undefined && delimiter === quote) conflict('quote', 'delimiter');
  if (!fixed && source.trailer?.some((spec) => spec.fixed)) conflict('trailer', 'delimiter');
  if (hasOneMark(source)) conflict('thousands_mark', 'decimal_mark');
  const names = columns ?? fixed?.flatMap(({ name }) => name ?? []) ?? [];
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) {
    const expected = `a list of different names; it has \`${twice}\` twice`;
    problems.push(failure('mapping_value_invalid', [...path, columns ? 'columns' : 'fixed'], { expected }));
  }
  return problems;
}
