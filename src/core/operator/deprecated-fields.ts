import { warning, type Path, type Problem } from '../problem.ts';
import type { RecordRule } from '../rules/rule.ts';
import { isJsonObject } from '../values/plain-json.ts';
import type { FieldRules, Fields, ObjectRules } from './contract.ts';
import { fieldsFor } from './listing.ts';

type Check = (value: unknown, path: Path) => readonly Problem[];

/** A rule that warns of fields which the operator asks not to use any more; undefined when there are none. */
export function deprecatedFields(
  rules: ObjectRules,
): RecordRule<Readonly<Record<string, unknown>>> | undefined {
  const types = Object.keys(rules.types?.of ?? {});
  const byType = new Map(types.map((type) => [type, ofFields(fieldsFor(rules, type))]));
  const common = ofFields(rules.fields ?? {});
  if (!common && [...byType.values()].every((check) => check === undefined)) return undefined;
  const by = rules.types?.by ?? '';
  return (record) => {
    const type = record[by];
    const check = typeof type === 'string' && byType.has(type) ? byType.get(type) : common;
    return check?.(record, []) ?? [];
  };
}

function ofFields(fields: Fields): Check | undefined {
  const checks = Object.entries(fields).flatMap(([name, rules]) => {
    const check = ofValue(rules);
    return check ? [[name, check] as const] : [];
  });
  if (checks.length === 0) return undefined;
  return (value, path) =>
    isJsonObject(value)
      ? checks.flatMap(([name, check]) =>
          Object.hasOwn(value, name) ? check(value[name], [...path, name]) : [],
        )
      : [];
}

function ofValue({ deprecated, fields = {}, item }: FieldRules): Check | undefined {
  const inside = ofFields(fields);
  const ofItem = item && ofValue(item);
  if (!deprecated && !inside && !ofItem) return undefined;
  const instead = deprecated?.instead === undefined ? '' : `; it has \`${deprecated.instead}\` instead`;
  return (value, path) => [
    ...(deprecated ? [warning('field_deprecated', path, { instead })] : []),
    ...(inside?.(value, path) ?? []),
    ...(ofItem && Array.isArray(value) ? value.flatMap((each, index) => ofItem(each, [...path, index])) : []),
  ];
}
