import * as z from 'zod/mini';
import { FIELD_FACTS, unwrapped } from '../contract/field.ts';
import { failure, warning, type Path, type Problem } from '../problem.ts';
import type { EnumJudge } from './rule.ts';

/**
 * Warns of values that the interface does not show, at any depth of the record. A judge may decide otherwise
 * (deployments.md, "Shapes and bounds").
 */
export function undocumentedValues(
  schema: z.ZodMiniType,
  value: unknown,
  judge: EnumJudge = byInterface,
): readonly Problem[] {
  return checkOf(schema)?.(value, { outer: [], part: null }, judge) ?? NONE;
}

const NONE: readonly Problem[] = [];

/** The default judge knows the values of the interface. */
const byInterface: EnumJudge = (_field, _value, isShown) => (isShown ? 'known' : 'undocumented');

/** A value that is the member `part` of the value at `outer`; null for the record. A path is made only for a problem. */
type Place = { readonly outer: Path; readonly part: string | number | null };

type Check = (value: unknown, place: Place, judge: EnumJudge) => readonly Problem[];

/** The check of each schema. Finding the open enums again for every record took an eighth of the server's time. */
const CHECKS = new WeakMap<z.ZodMiniType, Check | null>();

/** The check for values of a schema; null when the schema contains no open enum. */
function checkOf(schema: z.ZodMiniType): Check | null {
  let check = CHECKS.get(schema);
  if (check === undefined) {
    check = checkOfInner(unwrapped(schema));
    CHECKS.set(schema, check);
  }
  return check;
}

function checkOfInner(schema: z.ZodMiniType): Check | null {
  if (schema instanceof z.ZodMiniObject) return checkOfFields(schema.shape as Record<string, z.ZodMiniType>);
  if (schema instanceof z.ZodMiniArray) {
    const check = checkOf(schema.def.element as z.ZodMiniType);
    return (
      check &&
      ((value, place, judge) => {
        const outer = pathOf(place);
        return (value as unknown[]).flatMap((item, part) => check(item, { outer, part }, judge));
      })
    );
  }
  const known = FIELD_FACTS.get(schema)?.known;
  if (!known) return null;
  return (value, place, judge) => {
    if (value === '') return NONE;
    const verdict = judge(place.part as string, value as string, known.includes(value as string));
    if (verdict === 'known') return NONE;
    const path = pathOf(place);
    return verdict === 'refused'
      ? [failure('invalid_choice', path, { known: known.join(', ') })]
      : [warning('undocumented_value', path, { known: known.join(', ') })];
  };
}

function checkOfFields(shape: Readonly<Record<string, z.ZodMiniType>>): Check | null {
  const checks = Object.entries(shape).flatMap(([name, field]) => {
    const check = checkOf(field);
    return check ? [{ name, check }] : [];
  });
  if (checks.length === 0) return null;
  return (value, place, judge) => {
    const outer = pathOf(place);
    let found = NONE;
    for (const { name, check } of checks) {
      const part = (value as Readonly<Record<string, unknown>>)[name];
      if (part === undefined) continue;
      const problems = check(part, { outer, part: name }, judge);
      if (problems.length > 0) found = [...found, ...problems];
    }
    return found;
  };
}

const pathOf = ({ outer, part }: Place): Path => (part === null ? outer : [...outer, part]);
