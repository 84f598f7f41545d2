import { z } from 'zod';
import { FIELD_FACTS, unwrapped } from '../contract/field.ts';
import { warning, type Path, type Problem } from '../problem.ts';
import { rule } from './rule.ts';

/** Warns of values that the interface does not show, at any depth of the record. */
export const undocumentedValues = rule(
  {
    name: 'undocumented-values',
    authority: 'observed',
    source: 'deployments.md, "Shapes and bounds"',
    says: 'Enums are open: a value that the interface does not show is a warning.',
  },
  (schema: z.ZodType, value: unknown): readonly Problem[] => checkOf(schema)?.(value, []) ?? NONE,
);

const NONE: readonly Problem[] = [];

type Check = (value: unknown, path: Path) => readonly Problem[];

/** Schemas never change, and looking for their open enums in every record took an eighth of the server's time. */
const CHECKS = new WeakMap<z.ZodType, Check | null>();

/** What has to be looked at in values of a schema; null when no open enum is in it. */
function checkOf(schema: z.ZodType): Check | null {
  let check = CHECKS.get(schema);
  if (check === undefined) {
    check = checkOfInner(unwrapped(schema));
    CHECKS.set(schema, check);
  }
  return check;
}

function checkOfInner(schema: z.ZodType): Check | null {
  if (schema instanceof z.ZodObject) return checkOfFields(schema.shape as Record<string, z.ZodType>);
  if (schema instanceof z.ZodArray) {
    const check = checkOf(schema.element as z.ZodType);
    return (
      check && ((value, path) => (value as unknown[]).flatMap((item, index) => check(item, [...path, index])))
    );
  }
  const known = FIELD_FACTS.get(schema)?.known;
  if (!known) return null;
  return (value, path) =>
    value === '' || known.includes(value as string)
      ? NONE
      : [warning('undocumented_value', path, { known: known.join(', ') })];
}

function checkOfFields(shape: Readonly<Record<string, z.ZodType>>): Check | null {
  const checks = Object.entries(shape).flatMap(([name, field]) => {
    const check = checkOf(field);
    return check ? [{ name, check }] : [];
  });
  if (checks.length === 0) return null;
  return (value, path) =>
    checks.flatMap(({ name, check }) => {
      const part = (value as Readonly<Record<string, unknown>>)[name];
      return part === undefined ? NONE : check(part, [...path, name]);
    });
}
