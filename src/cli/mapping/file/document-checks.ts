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
  const found = new Found();
  checkSource(source, ['source'], found);
  checkQuery(source, found);
  // The supplier is given on the command line as often as in the file.
  checkRequired([...Object.keys(fields), 'import_supplier'], shape, ['fields'], found);
  for (const visit of visits) checkField(visit, document, found);
  for (const [name, spec] of Object.entries(fields)) checkAlternatives(spec, ['fields', name], found);
  // Rows are left out and put together before their fields have values.
  for (const { condition, path } of rowConditions(document))
    if (condition.field !== undefined)
      found.unexpected([...path, 'field'], 'a `column`, because rows have no fields yet');
  // A field of the record waits for the conditions of its items, too.
  const needsOf = (name: string): readonly string[] =>
    visits
      .filter(({ path }) => path[1] === name)
      .flatMap((visit) => conditionsOf(visit).flatMap(({ condition }) => condition.field ?? []));
  checkCircle(Object.keys(fields), needsOf, ['fields'], found);
  return found.problems;
}

class Found {
  readonly problems: Problem[] = [];

  missing(path: Path, needed: string): void {
    this.problems.push(missingKey(path, needed));
  }

  conflict(path: Path, other: string): void {
    this.problems.push(conflictingKey(path, other));
  }

  unexpected(path: Path, expected: string): void {
    this.problems.push(failure('mapping_value_invalid', path, { expected }));
  }
}

/** Keys of a source that describe separated values, or the header of a file, and not columns at fixed places. */
const NOT_WITH_FIXED = ['delimiter', 'quote', 'escape', 'header', 'columns'] as const;

/** Keys of a source that JSON Lines have no use for. */
const NOT_WITH_JSON_LINES = ['delimiter', 'quote', 'escape', ...LAYOUT_KEYS] as const;

/** Keys of a source that describe a file, and not a query. */
const NOT_WITH_QUERY = ['type', 'encoding', ...NOT_WITH_JSON_LINES] as const;

/** Checks a query: its parts, its tables, and keys that describe a file. */
function checkQuery(source: SourceSpec, found: Found): void {
  const { tables, sql, rows } = source;
  const path: Path = ['source'];
  if (tables === undefined && sql === undefined) {
    if (rows !== undefined) found.missing([...path, 'rows'], '`sql` beside it');
  } else if (sql === undefined) found.missing([...path, 'tables'], '`sql` beside it');
  else if (tables === undefined) found.missing([...path, 'sql'], '`tables` beside it');
  else {
    if (Object.keys(tables).length === 0) found.missing([...path, 'tables'], 'a table');
    for (const key of NOT_WITH_QUERY)
      if (source[key] !== undefined) found.conflict([...path, key], '`sql`; it belongs to a table');
    for (const [name, spec] of Object.entries(tables)) {
      const at = [...path, 'tables', name];
      checkSource(spec, at, found);
      if (spec.skip === 'until header')
        found.conflict([...at, 'skip'], '`tables`; count the lines in `skip_lines`');
    }
  }
}

function checkSource(source: SourceSpec, path: Path, found: Found): void {
  const conflict = (key: string, other: string): void => found.conflict([...path, key], `\`${other}\``);
  const { fixed, header, columns, quote, escape, delimiter } = source;
  if (source.type === 'jsonl') {
    for (const key of NOT_WITH_JSON_LINES) if (source[key] !== undefined) conflict(key, 'type: jsonl');
    if (source.encoding !== undefined && source.encoding !== 'utf-8') conflict('encoding', 'type: jsonl');
  }
  if (fixed) {
    // `header: false` is allowed, because a file with fixed columns has no header.
    for (const key of NOT_WITH_FIXED)
      if (source[key] !== undefined && source[key] !== false) conflict(key, 'fixed');
    if (fixed.every(({ name }) => name === undefined))
      found.missing([...path, 'fixed'], 'a column with a `name`');
  } else if (columns && header !== false) found.missing([...path, 'columns'], '`header: false` beside it');
  else if (header === false && !columns)
    found.missing([...path, 'header'], '`columns`, the names of the cells');
  if (source.skip !== undefined && source.skip_lines !== undefined) conflict('skip_lines', 'skip');
  if (source.skip === 'until header' && (fixed || header === false))
    conflict('skip', fixed ? 'fixed' : 'header: false');
  if (quote === 'none' && escape !== undefined) conflict('escape', 'quote: none');
  if (delimiter !== undefined && delimiter === quote) conflict('quote', 'delimiter');
  if (!fixed && source.trailer?.some((spec) => spec.fixed)) conflict('trailer', 'delimiter');
  if (hasOneMark(source)) conflict('thousands_mark', 'decimal_mark');
  const names = columns ?? fixed?.flatMap(({ name }) => name ?? []) ?? [];
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined)
    found.unexpected(
      [...path, columns ? 'columns' : 'fixed'],
      `a list of different names; it has \`${twice}\` twice`,
    );
}

/** Checks one alternative of a field whose keys are all right by themselves. */
function checkField(visit: FieldVisit, document: MappingDocument, found: Found): void {
  const { path, spec, names, source } = visit;
  if (isLeaf(visit)) {
    found.problems.push(...valueProblems(visit));
    if (hasOneMark(stepSpecOf(source, spec))) found.conflict([...path, 'thousands_mark'], '`decimal_mark`');
  } else checkList(visit, document, found);
  if (spec.join?.source) checkSource(spec.join.source, [...path, 'join', 'source'], found);
  if (spec.sum) checkSum(visit, document, found);
  // A condition on a field without a mapping would never hold.
  for (const { condition, path: at } of conditionsOf(visit)) {
    const { field } = condition;
    if (field === undefined || names.includes(field)) continue;
    const why = `a field that has a mapping, and \`${field}\` has none${suggestion(field, names)}`;
    found.unexpected([...at, 'field'], why);
  }
}

const NEEDS_CONTINUATION = '`continuation`, which says what rows are one record';

function checkList({ path, shape, spec, source }: FieldVisit, document: MappingDocument, found: Found): void {
  const { repeat, rows, join } = spec;
  if (shape.kind === 'object' && spec.fields)
    checkRequired(Object.keys(spec.fields), shape, [...path, 'fields'], found);
  if (rows && !document.continuation) found.missing([...path, 'rows'], NEEDS_CONTINUATION);
  if (repeat && repeat.from > repeat.to)
    found.unexpected([...path, 'repeat'], 'numbers of which `to` is not the smaller');
  if (join && Object.keys(join.key).length === 0)
    found.unexpected([...path, 'join', 'key'], 'at least one pair of columns');
  if (shape.kind !== 'list' || shape.item.kind !== 'object') return;
  for (const item of itemsOf(spec, { path, source })) {
    const fields = item.spec as Readonly<Record<string, FieldSpec>>;
    checkRequired(Object.keys(fields), shape.item, item.path, found);
    checkCircle(Object.keys(fields), (name) => neededFields(fields[name]!), item.path, found);
  }
}

/** Checks `sum`. It adds up columns over the rows of a record, so a record has to have several rows. */
function checkSum({ path, spec }: FieldVisit, { continuation }: MappingDocument, found: Found): void {
  const at = [...path, 'sum'];
  const around = ['rows', 'join', 'each'].find((key) => path.includes(key));
  if (around) return found.conflict(at, `\`${around}\``);
  if (spec.column === undefined && spec.debit === undefined)
    found.missing(at, '`column`, or `debit` with `credit`, beside it');
  if (!continuation) found.missing(at, NEEDS_CONTINUATION);
}

/** Finds fields that wait for each other. */
function checkCircle(
  names: readonly string[],
  needsOf: (name: string) => readonly string[],
  path: Path,
  found: Found,
): void {
  const { circle } = orderByNeeds(names, needsOf);
  if (circle.length === 0) return;
  const fields = circle.map((name) => `\`${name}\``).join(', ');
  found.conflict([...path, circle[0]!], `the conditions of ${fields}, which wait for each other`);
}

/** Names all fields without which no record, or no item, could be valid, in one problem. */
function checkRequired(present: readonly string[], { fields }: ObjectShape, path: Path, found: Found): void {
  const missing = Object.entries(fields).flatMap(([name, shape]) =>
    shape.isRequired && !present.includes(name) ? [`\`${name}\``] : [],
  );
  if (missing.length > 0)
    found.missing(path, `the fields ${missing.join(', ')}, without which no record is valid`);
}

/** Finds alternatives that come after one without a condition. */
function checkAlternatives(spec: FieldSpec, path: Path, found: Found): void {
  const alternatives = alternativesOf(spec);
  const rest = alternatives.findIndex(({ when }) => when === undefined);
  if (rest >= 0 && rest < alternatives.length - 1)
    found.conflict([...path, rest + 1], 'the alternative before it, which has no `when`');
}
