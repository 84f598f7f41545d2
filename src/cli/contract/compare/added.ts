import {
  FIELD_NAME,
  type FieldRules,
  type Fields,
  type ObjectRules,
  type ValueKind,
} from '../../../core/operator/contract.ts';
import { inside, type Findings, type Where } from '../../../core/operator/finding.ts';
import { listed } from '../../../core/operator/words.ts';
import { Pattern } from '../../../core/values/pattern.ts';
import type { ReadMembers, ReadMember, ReadTypes, ReadValue } from '../openapi/reading.ts';

/** The rules of a value that the interface does not have: everything that the document says of it. */
export function addedRules(described: ReadValue, where: Where, findings: Findings): FieldRules {
  if (described.text?.kind === 'text') {
    const { text, isNullable, ...number } = described;
    return {
      ...addedRules({ ...text, isNullable }, where, findings),
      or: addedRules({ ...number, isNullable: false }, where, findings),
    };
  }
  const isSentAsText = isRatherText(described);
  if (isSentAsText && described.kind === 'number')
    findings.add('ignored', where, 'is sent as a text, so its form as a number is not read', described.from);
  const read = isSentAsText ? asText(described) : described;
  const { from, minLength, maxLength, minItems, maxItems } = read;
  return {
    from,
    adds: kindOf(read),
    ...(read.isNullable && { null: true }),
    // Nothing checks which of the two a value is.
    ...(read.values && read.kind !== 'boolean' && { values: read.values }),
    ...(minLength !== undefined && { min_length: minLength }),
    ...(maxLength !== undefined && { max_length: maxLength }),
    ...(read.patterns.length > 0 && { patterns: read.patterns }),
    ...(read.digits && { digits: read.digits }),
    ...limitsOf(read),
    ...(read.wire && { wire: read.wire }),
    ...(minItems !== undefined && { min_items: minItems }),
    ...(maxItems !== undefined && { max_items: maxItems }),
    ...(read.item && { item: addedRules(read.item, inside(where, '[]'), findings) }),
    ...(read.kind === 'object' && objectRules(read, where, findings)),
    ...(read.deprecated && { deprecated: read.deprecated }),
  };
}

/** A value that may be a number or a text can always be sent as a text, but for decimals, which are exact as numbers here. */
function isRatherText({ orText, isDecimal, digits }: ReadValue): boolean {
  return orText === true && !isDecimal && (digits === undefined || digits.places === 0);
}

/** The text that a value may be, which may be a number, too. */
export function asText(value: ReadValue): ReadValue {
  const { from, patterns, isNullable, values, minLength, maxLength, deprecated } = value;
  return {
    from,
    kind: 'text',
    patterns,
    isNullable,
    ...(values && { values }),
    ...(minLength !== undefined && { minLength }),
    ...(maxLength !== undefined && { maxLength }),
    ...(deprecated && { deprecated }),
  };
}

export function limitsOf(value: ReadValue): Pick<FieldRules, 'minimum' | 'maximum' | 'above' | 'below'> {
  const { minimum, maximum, above, below } = value;
  return {
    ...(minimum !== undefined && { minimum }),
    ...(maximum !== undefined && { maximum }),
    ...(above !== undefined && { above }),
    ...(below !== undefined && { below }),
  };
}

/** Whether a field with this name can be added. A name that objects have by themselves cannot, and is a finding. */
export function isUsableName(name: string, member: ReadMember, where: Where, findings: Findings): boolean {
  if (FIELD_NAME.test(name)) return true;
  const says = 'has a name that no field can have, so it is left out';
  findings.add('not_understood', where, says, member.from);
  return false;
}

function kindOf(read: ReadValue): ValueKind {
  if (read.kind === 'number' || (read.kind === 'text' && read.isDecimal)) return 'decimal';
  return read.kind;
}

function objectRules(
  { members, types, from }: ReadValue,
  where: Where,
  findings: Findings,
): Pick<FieldRules, 'fields' | 'types' | 'others'> {
  if (types) {
    const names = usableTypes(types, where, findings);
    if (names.length < types.of.size)
      findings.add('tightens', inside(where, types.by), `only ${listed(names)}`, from);
    const of = [...types.of]
      .filter(([type]) => names.includes(type))
      .map(([type, value]): [string, ObjectRules] => [
        type,
        { from: value.from, fields: fieldsOf(value.members, types.by, where, findings) },
      ]);
    return { types: { by: types.by, of: Object.fromEntries(of) } };
  }
  const fields = fieldsOf(members, undefined, where, findings);
  const others = members?.others ?? 'unsaid';
  // An object that nobody describes may contain anything.
  const isFree = others === 'any' || (others === 'unsaid' && Object.keys(fields).length === 0);
  return {
    fields,
    ...(isFree && { others: 'any' }),
    ...(typeof others === 'object' && { others: addedRules(others, inside(where, '*'), findings) }),
  };
}

/** The types with a name that their own schema takes in the field that tells them apart. */
export function usableTypes({ by, of }: ReadTypes, where: Where, findings: Findings): readonly string[] {
  const usable = [...of].flatMap(([type, { members }]) => {
    const { patterns = [], minLength = 0, maxLength = Infinity } = members?.fields.get(by)?.value ?? {};
    const isUsable =
      type.length >= minLength &&
      type.length <= maxLength &&
      patterns.every((pattern) => new Pattern(pattern).test(type));
    return isUsable ? [type] : [];
  });
  if (usable.length > 0) return usable;
  const says = 'its pattern or its lengths fit no type, so they are not applied';
  findings.add('not_understood', inside(where, by), says, [...of.values()][0]!.from);
  return [...of.keys()];
}

/** @param by a field whose value is known already */
function fieldsOf(
  members: ReadMembers | undefined,
  by: string | undefined,
  where: Where,
  findings: Findings,
): Fields {
  const fields = [...(members?.fields ?? [])].flatMap(([name, member]): [string, FieldRules][] => {
    const at = inside(where, name);
    if (name === by || !isUsableName(name, member, at, findings)) return [];
    if (!member.value) {
      noteLost(member, at, findings);
      return [];
    }
    return [[name, withRequired(addedRules(member.value, at, findings), member.isRequired)]];
  });
  return Object.fromEntries(fields);
}

export function withRequired(rules: FieldRules, isRequired: boolean): FieldRules {
  return isRequired ? { ...rules, required: true } : rules;
}

/** A required field that was not understood cannot be sent. */
export function noteLost(member: ReadMember, where: Where, findings: Findings): void {
  if (!member.isRequired) return;
  const says = 'is required and cannot be sent, because its schema was not understood';
  findings.add('not_understood', where, says, member.from);
}
