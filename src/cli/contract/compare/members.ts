import * as z from 'zod/mini';
import { FIELD_FACTS, unwrapped } from '../../../core/contract/field.ts';
import type { FieldRules, Fields } from '../../../core/operator/contract.ts';
import { inside, nameOf, type Findings, type Where } from '../../../core/operator/finding.ts';
import type { ReadMember, ReadMembers, ReadValue } from '../openapi/reading.ts';
import type { Shape } from '../../../core/operator/resource-fields.ts';
import { vitalFields } from '../../../core/operator/vital-fields.ts';
import { phrasesOf } from '../../../core/operator/words.ts';
import { addedRules, asText, isUsableName, noteLost, withRequired } from './added.ts';
import { commonRules, contradictionOf, tightenedLeaf, type Comparing } from './values.ts';

export interface ContractComparison {
  readonly findings: Findings;
  /** Names of contradictions in which the document is followed. Each that was of use is added to `used`. */
  readonly accept: ReadonlySet<string>;
  readonly used: Set<string>;
}

export function sorted(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** @param known a field whose value is known by the type already */
export function compareMembers(
  shape: Shape,
  members: ReadMembers,
  where: Where,
  comparison: ContractComparison,
  known?: string,
): Fields {
  const { findings } = comparison;
  const own = Object.entries(shape).flatMap(([name, schema]): [string, FieldRules][] => {
    const member = members.fields.get(name);
    if (name === known) return [];
    const at = inside(where, name);
    const rules = member
      ? compareMember(schema, member, at, comparison)
      : missingMember(schema, members, at, comparison);
    return rules ? [[name, rules]] : [];
  });
  const added = [...members.fields].flatMap(([name, member]): [string, FieldRules][] => {
    const at = inside(where, name);
    if (Object.hasOwn(shape, name) || !isUsableName(name, member, at, findings)) return [];
    if (!member.value) {
      noteLost(member, at, findings);
      return [];
    }
    const rules = withRequired(addedRules(member.value, at, findings), member.isRequired);
    findings.add('adds', at, phrasesOf({ ...rules, deprecated: undefined }).join(', '), rules.from);
    if (rules.deprecated)
      findings.add('deprecates', at, phrasesOf({ from: '', deprecated: rules.deprecated })[0]!, rules.from);
    return [[name, rules]];
  });
  return sorted(Object.fromEntries([...own, ...added]));
}

/** A field of the interface that the document does not have. */
function missingMember(
  schema: z.ZodMiniType,
  { fields, others }: ReadMembers,
  where: Where,
  { findings }: ContractComparison,
): FieldRules | undefined {
  if (others === 'any' || typeof others === 'object') return undefined;
  const from = parentOf([...fields.values()][0]?.from);
  if (isRequired(schema)) {
    const says = 'is not in the document, and required by the interface, which wins in any case';
    findings.add('contradicts', where, says, from);
    return undefined;
  }
  findings.add('tightens', where, 'is not a field here', from);
  return { from, absent: true };
}

/** The pointer of the properties around a property. */
const parentOf = (pointer = ''): string => pointer.slice(0, Math.max(pointer.lastIndexOf('/'), 0));

function compareMember(
  schema: z.ZodMiniType,
  { isRequired: isDemanded, value, from }: ReadMember,
  where: Where,
  comparison: ContractComparison,
): FieldRules | undefined {
  const { findings } = comparison;
  const isNewlyRequired = isDemanded && !isRequired(schema);
  if (isNewlyRequired) findings.add('tightens', where, 'is required', from);
  if (!isDemanded && isRequired(schema)) findings.add('loosens', where, 'is optional', from);
  const rules = value && compareValue(schema, value, where, comparison);
  const all = { ...rules, ...(isNewlyRequired && { required: true as const }) };
  return Object.keys(all).length > 0 ? { from: value?.from ?? from, ...all } : undefined;
}

/** Undefined when the document demands nothing beyond the interface. */
function compareValue(
  schema: z.ZodMiniType,
  described: ReadValue,
  where: Where,
  comparison: ContractComparison,
): Omit<FieldRules, 'from'> | undefined {
  const { findings } = comparison;
  const read = inFormOf(schema, described, { where, findings });
  const contradiction = contradictionOf(schema, read);
  if (contradiction !== undefined) {
    const isVital = where.resource !== null && vitalFields(where.resource).includes(where.field);
    const isAccepted = isVital ? undefined : accepts(where, comparison);
    const why = isVital ? ', which wins: records are told apart, dated and added up by it' : '';
    const says = `${contradiction}${why}`;
    // Fields of the record itself: an object or a list around a field may be left out.
    if (isRequired(schema) && !isAccepted && /^\w+$/.test(where.field)) {
      const all = `${says}: every such record would be refused`;
      findings.addFailure('contradicts', where, all, read.from, isAccepted);
    } else findings.add('contradicts', where, says, read.from, isAccepted);
    return isAccepted ? addedRules(read, where, findings) : undefined;
  }
  const inner = unwrapped(schema);
  const common = { where, findings };
  if (read.kind === 'json') return filled(commonRules(schema, read, common));
  if (FIELD_FACTS.has(inner)) return filled(tightenedLeaf(schema, read, common));
  if (inner instanceof z.ZodMiniArray)
    return filled({ ...listRules(inner, read, where, comparison), ...commonRules(schema, read, common) });
  const shape = (inner as unknown as { shape: Shape }).shape;
  if (read.types) {
    findings.add(
      'not_understood',
      where,
      'its fields depend on a field, and not so in the interface',
      read.from,
    );
    return undefined;
  }
  const fields = compareMembers(shape, read.members!, where, comparison);
  return filled({ ...(Object.keys(fields).length > 0 && { fields }), ...commonRules(schema, read, common) });
}

/** A value that may be a number or a text is a text where the interface has a text. */
function inFormOf(schema: z.ZodMiniType, read: ReadValue, { where, findings }: Comparing): ReadValue {
  const facts = FIELD_FACTS.get(unwrapped(schema));
  if (read.text && facts?.kind === 'decimal')
    findings.add(
      'ignored',
      where,
      'the value is sent as a number, so its form as a text is not read',
      read.text.from,
    );
  if (!facts || facts.kind === 'decimal') return read;
  if (read.text) return { ...read.text, isNullable: read.isNullable };
  return read.orText ? asText(read) : read;
}

function listRules(
  list: z.ZodMiniArray,
  { item, minItems, maxItems, from }: ReadValue,
  where: Where,
  comparison: ContractComparison,
): Omit<FieldRules, 'from'> {
  const least = minItems !== undefined && (minItems > 1 || list.safeParse([]).success) ? minItems : undefined;
  const limits = {
    ...(least !== undefined && { min_items: least }),
    ...(maxItems !== undefined && { max_items: maxItems }),
  };
  for (const says of phrasesOf({ from, ...limits })) comparison.findings.add('tightens', where, says, from);
  const rules =
    item && compareValue(list.def.element as z.ZodMiniType, item, inside(where, '[]'), comparison);
  return { ...limits, ...(rules && { item: { from: item.from, ...rules } }) };
}

function filled(rules: Omit<FieldRules, 'from'>): Omit<FieldRules, 'from'> | undefined {
  return Object.keys(rules).length > 0 ? rules : undefined;
}

const isRequired = (schema: z.ZodMiniType): boolean => !(schema instanceof z.ZodMiniOptional);

/** Whether the document is to be followed here. A name without a type means every type. */
function accepts({ resource, type, field }: Where, { accept, used }: ContractComparison): boolean {
  const names = [
    nameOf({ resource, types: [], field }),
    ...(type === null ? [] : [nameOf({ resource, types: [type], field })]),
  ];
  const name = names.find((each) => accept.has(each));
  if (name !== undefined) used.add(name);
  return name !== undefined;
}
