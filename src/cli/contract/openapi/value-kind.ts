import type { ValueKind } from '../../../core/operator/contract.ts';
import type { Where } from '../../../core/operator/finding.ts';
import type { LocatedObject } from './document.ts';
import { keyword } from './facets.ts';
import type { Reading } from './reading.ts';

const KINDS: Readonly<Record<string, ValueKind>> = {
  string: 'text',
  number: 'decimal',
  integer: 'decimal',
  boolean: 'boolean',
  object: 'object',
  array: 'list',
};

/** The kind of a value, by its types or by what a schema without a type says. `orText`: a number may be a text, too. */
export function kindOf(
  facets: readonly LocatedObject[],
  where: Where,
  { findings }: Reading,
): { kind: ValueKind; orText: boolean } {
  const types = keyword(facets, 'type');
  const said = types.map(({ value }) => [value].flat().filter((type) => type !== 'null'));
  const [first = inferred(facets), ...others] = said;
  const kinds = new Set(
    first
      .filter((type) =>
        others.every((list) => list.includes(type) || (type === 'integer' && list.includes('number'))),
      )
      .map((type) => KINDS[type as string]),
  );
  if (kinds.size === 2 && kinds.has('decimal') && kinds.has('text')) return { kind: 'decimal', orText: true };
  const [only] = kinds;
  if (kinds.size === 1 && only) return { kind: only === 'text' ? formatted(facets) : only, orText: false };
  if (types[0])
    findings.add(
      'not_understood',
      where,
      'has several types, or types that exclude each other: not checked',
      types[0].path,
    );
  return { kind: 'json', orText: false };
}

/** A schema without a type may show its type by what it says. */
function inferred(facets: readonly LocatedObject[]): readonly unknown[] {
  const says = (name: string): boolean => keyword(facets, name).length > 0;
  if (says('properties')) return ['object'];
  if (says('items')) return ['array'];
  const values = [
    ...keyword(facets, 'enum').flatMap(({ value }) => value as unknown[]),
    ...keyword(facets, 'const').map(({ value }) => value),
  ];
  const types = new Set(values.filter((value) => value !== null).map((value) => typeof value));
  const [type] = types;
  if (types.size === 1 && (type === 'string' || type === 'number' || type === 'boolean')) return [type];
  return says('pattern') || says('maxLength') ? ['string'] : [];
}

function formatted(facets: readonly LocatedObject[]): ValueKind {
  const formats = keyword(facets, 'format').map(({ value }) => value);
  if (formats.includes('date-time')) return 'datetime';
  if (formats.includes('date')) return 'date';
  return formats.includes('decimal') ? 'decimal' : 'text';
}
