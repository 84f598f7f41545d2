import type { Path } from '../../core/problem.ts';
import { NO_SUPPLIER, standsAlready } from './definition-words.ts';
import type { YamlFile } from '../options/yaml-file.ts';
import { entryOf, placeText, type SeedFault } from './seed-fault.ts';
import { seedFile } from './seed-file.ts';

/**
 * What is wrong between the entries of all files: something defined twice, or referred to and not defined. Reads the
 * files as they are written, so that it is told together with what is wrong in single entries. Without `isWhole` there
 * are files that could not be read, and may define what the others refer to.
 */
export function faultsBetween(
  texts: readonly YamlFile[],
  { isWhole }: { readonly isWhole: boolean },
): readonly SeedFault[] {
  return [...repeated(texts), ...(isWhole && texts.every(tellsSuppliers) ? withoutSupplier(texts) : [])];
}

/** What stands at a path, after all that stands around it. */
interface Found {
  readonly path: Path;
  readonly way: readonly unknown[];
}

interface Definition {
  readonly thing: string;
  /** Path of every one; `*` is each entry of a list, or each key. */
  readonly at: string;
  /** What no two may share. */
  readonly nameOf: (found: Found, file: string) => readonly unknown[];
}

const DEFINITIONS: readonly Definition[] = [
  { thing: 'supplier', at: 'suppliers.*', nameOf: ({ way }) => [valueOf(way.at(-1), 'code')] },
  { thing: 'API key', at: 'api_keys.*', nameOf: ({ way }) => [valueOf(way.at(-1), 'key')] },
  {
    thing: 'account',
    at: 'accounts.*',
    nameOf: ({ way }) =>
      ['import_supplier', 'external_account_number'].map((field) => valueOf(way.at(-1), field)),
  },
  { thing: 'vendor', at: 'vendors.*', nameOf: ({ way }) => [valueOf(way.at(-1), 'code')] },
  {
    thing: 'instruction of the vendor',
    at: 'vendors.*.instructions.*',
    nameOf: ({ way }) => [valueOf(way.at(-3), 'code'), valueOf(way.at(-1), 'reference')],
  },
  { thing: 'product code', at: 'product_codes.*', nameOf: ({ way }) => [way.at(-1)] },
  ...['suppliers.*.documents.*', 'enums.*.*', 'enums.*.*.*'].map((at) => ({
    thing: 'value',
    at,
    nameOf: ({ path, way }: Found, file: string) => [file, entryOf(path.slice(0, -1)), way.at(-1)],
  })),
];

function repeated(texts: readonly YamlFile[]): readonly SeedFault[] {
  return DEFINITIONS.flatMap(({ thing, at, nameOf }) => {
    const firsts = new Map<string, () => string>();
    return texts.flatMap(({ file, value, placeOf }) =>
      [...entriesAt(at.split('.'), value)].flatMap((found) => {
        const name = nameOf(found, file);
        if (!name.every(isName)) return [];
        const key = JSON.stringify(name.map(String));
        const first = firsts.get(key);
        if (!first) {
          firsts.set(key, () => `${placeText(placeOf(found.path))} (${entryOf(found.path)})`);
          return [];
        }
        const reason = standsAlready(thing, `at ${first()}`);
        return [{ place: placeOf(found.path), entry: entryOf(found.path), reason }];
      }),
    );
  });
}

const REFERENCES = ['accounts.*.import_supplier', 'api_keys.*.suppliers.*'];

function withoutSupplier(texts: readonly YamlFile[]): readonly SeedFault[] {
  const codes = new Set(
    texts.flatMap(({ value }) =>
      [...entriesAt(['suppliers', '*', 'code'], value)].map(({ way }) => way.at(-1)),
    ),
  );
  return texts.flatMap(({ value, placeOf }) =>
    REFERENCES.flatMap((at) => [...entriesAt(at.split('.'), value)])
      .filter(({ way }) => typeof way.at(-1) === 'string' && !codes.has(way.at(-1)))
      .map(({ path }) => ({
        place: placeOf(path),
        entry: entryOf(path),
        reason: `${NO_SUPPLIER}: define it under \`suppliers\`, in this file or another`,
      })),
  );
}

/** Whether the suppliers of a file can all be told; else what hides them is wrong, and not who refers to them. */
function tellsSuppliers({ value }: YamlFile): boolean {
  const hidden = Object.keys(value as object).some((key) => !Object.hasOwn(seedFile.shape, key));
  const suppliers = valueOf(value, 'suppliers') ?? [];
  return (
    !hidden &&
    Array.isArray(suppliers) &&
    suppliers.every((entry) => typeof valueOf(entry, 'code') === 'string')
  );
}

function* entriesAt(
  [part, ...rest]: readonly string[],
  value: unknown,
  { path, way }: Found = { path: [], way: [] },
): Generator<Found> {
  const here = [...way, value];
  if (part === undefined) yield { path, way: here };
  else
    for (const key of part === '*' ? keysOf(value) : [part])
      yield* entriesAt(rest, valueOf(value, key), { path: [...path, key], way: here });
}

function keysOf(value: unknown): readonly (string | number)[] {
  if (Array.isArray(value)) return [...value.keys()];
  return typeof value === 'object' && value !== null ? Object.keys(value) : [];
}

function valueOf(value: unknown, key: string | number): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Record<string | number, unknown>)[key]
    : undefined;
}

function isName(part: unknown): boolean {
  return typeof part === 'string' || typeof part === 'number';
}
