import { conflictingKey, missingKey } from '../language/schemas.ts';
import { failure, type Path, type Problem } from '../../../core/problem.ts';
import { type FieldSpec, alternativesOf } from '../language/field-spec.ts';
import {
  conditionsOf,
  visitFields,
  type FieldVisit,
  isLeaf,
  itemsOf,
  neededFields,
  orderByNeeds,
  rowConditions,
} from '../language/field-visits.ts';
import type { MappingDocument } from '../language/mapping.ts';
import { hasOneMark, LAYOUT_KEYS, type SourceSpec, stepSpecOf } from '../language/source.ts';
import { suggestion } from '../../../core/suggestion.ts';
import type { ObjectShape } from '../language/fields.ts';
import { valueProblems } from './given-values.ts';

/** The problems of a mapping whose keys are all right by themselves, but do not go together. */
export function documentProblems(document: MappingDocument): readonly Problem[] {
  const { shape, source = {}, fields } = document;
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
    ...noFieldYet(document),
    ...circles(fields, visits),
  ];
}

/** Rows are left out and put together before their fields have values. */
function noFieldYet(document: MappingDocument): readonly Problem[] {
  const expected = 'a `column`, because rows have no fields yet';
  return rowConditions(document).flatMap(({ condition, path }) =>
    condition.field === undefined ? [] : [failure('mapping_value_invalid', [...path, 'field'], { expected })],
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
    return [missingKey([...path, key!], `${needed} beside it`)];
  }
  if (tables === undefined)
    return source.rows === undefined ? [] : [missingKey([...path, 'rows'], '`sql` beside it')];
  const ofFile = ['type', 'encoding', 'delimiter', 'quote', 'escape', ...LAYOUT_KEYS] as const;
  return [
    ...(Object.keys(tables).length === 0 ? [missingKey([...path, 'tables'], 'a table')] : []),
    ...ofFile.flatMap((key) =>
      source[key] === undefined ? [] : [conflictingKey([...path, key], '`sql`; it belongs to a table')],
    ),
    ...Object.entries(tables).flatMap(([name, spec]) => {
      const at = [...path, 'tables', name];
      const other = '`tables`; count the lines in `skip_lines`';
      const skip = spec.skip === 'until header' ? [conflictingKey([...at, 'skip'], other)] : [];
      return [...sourceProblems(spec, at), ...skip];
    }),
  ];
}

function sourceProblems(source: SourceSpec, path: Path): readonly Problem[] {
  const problems: Problem[] = [];
  const conflict = (key: string, other: string): void =>
    void problems.push(conflictingKey([...path, key], `\`${other}\``));
  const needs = (key: string, needed: string): void => void problems.push(missingKey([...path, key], needed));
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

/** The problems of one alternative of a field whose keys are all right by themselves. */
function fieldProblems(visit: FieldVisit, document: MappingDocument): readonly Problem[] {
  return [
    ...(isLeaf(visit) ? [...valueProblems(visit), ...markProblems(visit)] : listProblems(visit, document)),
    ...sumProblems(visit, document),
    ...conditionsOf(visit).flatMap(({ condition, path }) =>
      unknownField(condition.field, visit.names, [...path, 'field']),
    ),
  ];
}

/** The problem of a mark of this field that the source, or the field itself, has for something else. */
function markProblems({ path, spec, source }: FieldVisit): readonly Problem[] {
  return hasOneMark(stepSpecOf(source, { ...spec }))
    ? [conflictingKey([...path, 'thousands_mark'], '`decimal_mark`')]
    : [];
}

/** The problem of a condition on a field that no mapping fills. It would never hold. */
function unknownField(field: string | undefined, names: readonly string[], path: Path): readonly Problem[] {
  return field === undefined || names.includes(field)
    ? []
    : [
        failure('mapping_value_invalid', path, {
          expected: `a field that has a mapping, and \`${field}\` has none${suggestion(field, names)}`,
        }),
      ];
}

function listProblems(
  { path, shape, spec, source }: FieldVisit,
  { continuation }: MappingDocument,
): readonly Problem[] {
  const { repeat, rows, join } = spec;
  const invalid = (keys: Path, expected: string): Problem =>
    failure('mapping_value_invalid', [...path, ...keys], { expected });
  const missing =
    shape.kind === 'object' && spec.fields
      ? missingFields(Object.keys(spec.fields), shape, [...path, 'fields'])
      : [];
  const items = shape.kind === 'list' && shape.item.kind === 'object' ? itemsOf(spec, { path, source }) : [];
  return [
    ...missing,
    ...(rows && !continuation ? [needsContinuation([...path, 'rows'])] : []),
    ...(repeat && repeat.from > repeat.to
      ? [invalid(['repeat'], 'numbers of which `to` is not the smaller')]
      : []),
    ...(join && Object.keys(join.key).length === 0
      ? [invalid(['join', 'key'], 'at least one pair of columns')]
      : []),
    ...items.flatMap((item) => {
      const fields = item.spec as Readonly<Record<string, FieldSpec>>;
      return [
        ...missingFields(Object.keys(fields), (shape as { item: ObjectShape }).item, item.path),
        ...cycleProblems(Object.keys(fields), (name) => neededFields(fields[name]!), item.path),
      ];
    }),
  ];
}

function needsContinuation(path: Path): Problem {
  const needed = '`continuation`, which says what rows are one record';
  return missingKey(path, needed);
}

/** The problems of `sum`. It adds up columns over the rows of a record, so a record has to have several rows. */
function sumProblems(
  { path, spec: { sum, column, debit } }: FieldVisit,
  { continuation }: MappingDocument,
): readonly Problem[] {
  if (!sum) return [];
  const at = [...path, 'sum'];
  const around = ['rows', 'join', 'each'].find((key) => path.includes(key));
  if (around) return [conflictingKey(at, `\`${around}\``)];
  return [
    ...(column === undefined && debit === undefined
      ? [missingKey(at, '`column`, or `debit` with `credit`, beside it')]
      : []),
    ...(continuation ? [] : [needsContinuation(at)]),
  ];
}

/** The problem of fields that wait for each other. */
function cycleProblems(
  names: readonly string[],
  needsOf: (name: string) => readonly string[],
  path: Path,
): readonly Problem[] {
  const { circle } = orderByNeeds(names, needsOf);
  if (circle.length === 0) return [];
  const fields = circle.map((name) => `\`${name}\``).join(', ');
  const other = `the conditions of ${fields}, which wait for each other`;
  return [conflictingKey([...path, circle[0]!], other)];
}

/** One problem that names all fields without which no record, or no item, could be valid. */
function missingFields(present: readonly string[], { fields }: ObjectShape, path: Path): readonly Problem[] {
  const missing = Object.entries(fields).flatMap(([name, shape]) =>
    shape.isRequired && !present.includes(name) ? [`\`${name}\``] : [],
  );
  const needed = `the fields ${missing.join(', ')}, without which no record is valid`;
  return missing.length === 0 ? [] : [missingKey(path, needed)];
}

/** The problem of alternatives that come after one without a condition. */
function unreachable(spec: FieldSpec, path: Path): readonly Problem[] {
  const alternatives = alternativesOf(spec);
  const rest = alternatives.findIndex(({ when }) => when === undefined);
  const other = 'the alternative before it, which has no `when`';
  const isLast = rest < 0 || rest === alternatives.length - 1;
  return isLast ? [] : [conflictingKey([...path, rest + 1], other)];
}
