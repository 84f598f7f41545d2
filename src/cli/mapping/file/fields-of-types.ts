import * as z from 'zod/mini';
import { unwrapped } from '../../../core/contract/field.ts';
import type { ResourceDescriptor } from '../../../core/contract/descriptor.ts';
import type { Descriptors } from '../../../core/contract/resources.ts';
import { failure, type Path } from '../../../core/problem.ts';
import { discriminatorOf } from '../language/fields.ts';
import { alternativesOf, type FieldSpec, type ListSpec } from '../language/field-spec.ts';
import { itemsOf } from '../language/field-visits.ts';
import { givenTexts, isLookupFile, type LookupTables } from '../language/lookup.ts';
import type { Mapping } from '../language/mapping.ts';
import type { MappingProblem } from './mapping-problem.ts';

type Specs = Readonly<Record<string, FieldSpec>>;
type Shape = Readonly<Record<string, z.ZodMiniType>>;

/** The object that is looked at: its specification, where that is, and its type for the message, if it has one. */
type Place = { readonly specs: Specs; readonly path: Path; readonly type?: string };

/**
 * A problem for each type of record or of object that can occur and has required fields without a mapping. A type can occur when
 * a constant or a table of the mapping gives it; the types in cells are not known. The fields that every type requires are
 * checked when the mapping is loaded.
 */
export function missingFieldsOfTypes(mapping: Mapping, descriptors: Descriptors): readonly MappingProblem[] {
  const { schema, schemaFor, typeField } = descriptors[mapping.resource] as ResourceDescriptor<object>;
  const { fields: specs, source = {} } = mapping.document;
  const types = typeField === null ? undefined : valuesOf(specs[typeField], mapping.tables);
  const found =
    types && typeField !== null
      ? types.flatMap((type) =>
          missingIn(schemaFor?.({ [typeField]: type }) ?? schema, { specs, path: ['fields'], type }),
        )
      : missingIn(schema, { specs, path: ['fields'] });
  // Nested objects with types of their own are found again for each type of the record.
  const problems = new Map(found.map((problem) => [JSON.stringify(problem), problem]));
  return [...problems.values()].map((problem) => ({ problem, ...mapping.positionOf(problem.path) }));

  function missingIn(
    of: z.ZodMiniType,
    { specs: own, path, type }: Place,
  ): readonly ReturnType<typeof failure>[] {
    const { shape } = of as unknown as { shape: Shape };
    const missing = Object.entries(shape).flatMap(([name, inner]) =>
      inner instanceof z.ZodMiniOptional || Object.hasOwn(own, name) ? [] : [`\`${name}\``],
    );
    const facts = {
      fields: missing.join(', '),
      ...(type !== undefined && { type: ` of the type \`${type}\`` }),
    };
    return [
      ...(missing.length === 0 ? [] : [failure('mapping_fields_missing', path, facts)]),
      ...Object.entries(own).flatMap(([name, spec]) =>
        Object.hasOwn(shape, name)
          ? alternativesOf(spec).flatMap((each, index) => {
              const at = [...path, name, ...(Array.isArray(spec) ? [index] : [])];
              return insideOf(unwrapped(shape[name]!), each, {
                path: at,
                ...(type !== undefined && { type }),
              });
            })
          : [],
      ),
    ];
  }

  function insideOf(of: z.ZodMiniType, spec: ListSpec, { path, type }: Omit<Place, 'specs'>) {
    const typed = type === undefined ? {} : { type };
    if (of instanceof z.ZodMiniArray) {
      const item = unwrapped(of.def.element as z.ZodMiniType);
      return item instanceof z.ZodMiniObject
        ? itemsOf(spec, { path, source }).flatMap((each) =>
            missingIn(item, { specs: each.spec as Specs, path: each.path, ...typed }),
          )
        : [];
    }
    if (spec.fields === undefined) return [];
    const inner = { specs: spec.fields, path: [...path, 'fields'] };
    if (of instanceof z.ZodMiniObject) return missingIn(of, { ...inner, ...typed });
    if (!(of instanceof z.ZodMiniDiscriminatedUnion)) return [];
    const by = discriminatorOf(of);
    const own = valuesOf(spec.fields[by], mapping.tables) ?? [];
    return of.def.options.flatMap((option) => {
      const { shape } = option as unknown as { shape: Shape };
      const value = own.find((each) => shape[by]!.safeParse(each).success);
      return value === undefined ? [] : missingIn(option as z.ZodMiniType, { ...inner, type: value });
    });
  }
}

/** The values that a field can have; undefined where a cell decides. */
function valuesOf(spec: FieldSpec | undefined, tables: LookupTables): readonly string[] | undefined {
  if (spec === undefined) return undefined;
  const lists = alternativesOf(spec).map((each): readonly string[] | undefined => {
    const { constant, lookup, otherwise } = each;
    if (constant !== undefined) return [constant];
    if (lookup === undefined || otherwise === 'keep') return undefined;
    const listed = isLookupFile(lookup) ? [...(tables.get(lookup)?.values() ?? [])] : [];
    return [...listed, ...givenTexts(each).map(([text]) => text)];
  });
  return lists.every((list) => list !== undefined) ? [...new Set(lists.flat())] : undefined;
}
