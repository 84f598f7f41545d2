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
  (schema: z.ZodType, value: unknown, path: Path = []): readonly Problem[] => {
    const inner = unwrapped(schema);
    if (inner instanceof z.ZodObject) {
      return Object.entries(inner.shape as Record<string, z.ZodType>).flatMap(([name, field]) => {
        const part = (value as Record<string, unknown>)[name];
        return part === undefined ? [] : undocumentedValues(field, part, [...path, name]);
      });
    }
    if (inner instanceof z.ZodArray) {
      return (value as unknown[]).flatMap((item, index) =>
        undocumentedValues(inner.element as z.ZodType, item, [...path, index]),
      );
    }
    const known = FIELD_FACTS.get(inner)?.known;
    if (!known || value === '' || known.includes(value as string)) return [];
    return [warning('undocumented_value', path, { known: known.join(', ') })];
  },
);
