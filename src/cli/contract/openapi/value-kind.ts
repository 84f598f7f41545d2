import type { Where } from '../../../core/operator/finding.ts';
import { type LocatedObject } from './document.ts';
import { keyword } from './facets.ts';
import type { ReadKind, Reading } from './reading.ts';

const KINDS: Readonly<Record<string, ReadKind>> = {
  string: 'text',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  object: 'object',
  array: 'list',
};

/** The kind of a value, by its types or by what a schema without a type says. `orText`: a number may be a text, too. */
export function kindOf(
  facets: readonly LocatedObject[],
  where: Where,
  { findings }: Reading,
): { kind: ReadKind; orText: boolean } | undefined {
  const said = keyword(facets, 'type').map(({ value }) =>
    (Array.isArray(value) ? (value as unknown[]) : [value]).filter((type) => type !== 'null'),
  );
  const [first = inferred(facets), ...others] = said;
  const kinds = new Set(
    first
      .filter((type) =>
        others.every((list) => list.includes(type) || (type === 'integer' && list.includes('number'))),
      )
      .map((type) => KINDS[type as string]),
  );
  if (kinds.size === 2 && kinds.has('number') && kinds.has('text')) return { kind: 'number', orText: true };
  const [only] = kinds;
  if (kinds.size === 0 && said.length === 0) return { kind: 'json', orText: false };
  if (kinds.size !== 1 || !only) {
    const from = keyword(facets, 'type')[0];
    findings.add(
      'not_understood',
      where,
      'has no type, or several that exclude each other',
      from?.path ?? [],
    );
    return undefined;
  }
  return { kind: only === 'text' ? formatted(facets) : only, orText: false };
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

function formatted(facets: readonly LocatedObject[]): ReadKind {
  const formats = keyword(facets, 'format').map(({ value }) => value);
  if (formats.includes('date-time')) return 'datetime';
  return formats.includes('date') ? 'date' : 'text';
}
