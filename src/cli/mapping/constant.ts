import type { FieldFacts } from '../../core/contract/field.ts';
import { Decimal } from '../../core/values/decimal.ts';
import { parseInstant } from '../../core/values/instant.ts';

/** The value that a constant of a mapping stands for; one that does not fit stays text, for the contract to object to. */
export function constantValue(text: string, { kind }: FieldFacts): unknown {
  if (kind === 'decimal') return Decimal.parse(text) ?? text;
  if (kind === 'boolean') return text === 'true' ? true : text === 'false' ? false : text;
  if (kind === 'datetime') return parseInstant(text) ?? text;
  return text;
}
