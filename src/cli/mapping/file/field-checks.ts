import { failure, type Path, type Problem } from '../../../core/problem.ts';
import { suggestion } from '../../../core/suggestion.ts';
import { orderByNeeds } from '../language/field-order.ts';
import { alternativesOf, type FieldSpec } from '../language/field-spec.ts';
import { conditionsOf, isLeaf, itemsOf, neededFields, type FieldVisit } from '../language/field-visits.ts';
import type { ObjectShape } from '../language/fields.ts';
import type { MappingDocument } from '../language/mapping.ts';
import { hasOneMark, stepSpecOf } from '../language/source.ts';
import { valueProblems } from './given-values.ts';

/** The problems of one alternative of a field whose keys are all right by themselves. */
export function fieldProblems(visit: FieldVisit, document: MappingDocument): readonly Problem[] {
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
    ? [failure('mapping_keys_conflict', [...path, 'thousands_mark'], { other: '`decimal_mark`' })]
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
  return failure('mapping_key_missing', path, { needed });
}

/** The problems of a sum. It adds up the rows of a record that has several, from columns of these rows. */
function sumProblems(
  { path, spec: { sum, column, debit } }: FieldVisit,
  { continuation }: MappingDocument,
): readonly Problem[] {
  if (!sum) return [];
  const at = [...path, 'sum'];
  const around = ['rows', 'join', 'each'].find((key) => path.includes(key));
  if (around) return [failure('mapping_keys_conflict', at, { other: `\`${around}\`` })];
  return [
    ...(column === undefined && debit === undefined
      ? [failure('mapping_key_missing', at, { needed: '`column`, or `debit` with `credit`, beside it' })]
      : []),
    ...(continuation ? [] : [needsContinuation(at)]),
  ];
}

/** The problem of fields that wait for each other. */
export function cycleProblems(
  names: readonly string[],
  needsOf: (name: string) => readonly string[],
  path: Path,
): readonly Problem[] {
  const { circle } = orderByNeeds(names, needsOf);
  if (circle.length === 0) return [];
  const fields = circle.map((name) => `\`${name}\``).join(', ');
  const other = `the conditions of ${fields}, which wait for each other`;
  return [failure('mapping_keys_conflict', [...path, circle[0]!], { other })];
}

/** One problem that names all fields without which no record, or no item, could be valid. */
export function missingFields(
  present: readonly string[],
  { fields }: ObjectShape,
  path: Path,
): readonly Problem[] {
  const missing = Object.entries(fields).flatMap(([name, shape]) =>
    shape.isRequired && !present.includes(name) ? [`\`${name}\``] : [],
  );
  const needed = `the fields ${missing.join(', ')}, without which no record is valid`;
  return missing.length === 0 ? [] : [failure('mapping_key_missing', path, { needed })];
}

/** The problem of alternatives that come after one without a condition. */
export function unreachable(spec: FieldSpec, path: Path): readonly Problem[] {
  const alternatives = alternativesOf(spec);
  const rest = alternatives.findIndex(({ when }) => when === undefined);
  const other = 'the alternative before it, which has no `when`';
  const isLast = rest < 0 || rest === alternatives.length - 1;
  return isLast ? [] : [failure('mapping_keys_conflict', [...path, rest + 1], { other })];
}
