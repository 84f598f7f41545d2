import type { Path } from '../../core/problem.ts';
import type { YamlText } from '../../core/yaml/yaml-text.ts';
import { seedFile } from './seed-file.ts';
import { entryOf, positionText, type SeedProblem } from './seed-problem.ts';

/**
 * The problems between the entries of all files: a thing is defined twice, or referred to and not defined. Reads the files as
 * they are written, so that these problems are reported together with those of single entries.
 * @param isWhole false when a file is unreadable: it may define what other files refer to
 */
export function problemsBetween(
  texts: readonly YamlText[],
  { isWhole }: { readonly isWhole: boolean },
): readonly SeedProblem[] {
  return [
    ...repeated(texts),
    ...(isWhole && texts.every(suppliersAreReadable) ? withoutSupplier(texts) : []),
  ];
}

/** A value of the file. */
interface Found {
  readonly path: Path;
  /** The values around it from the root on, and then the value itself. */
  readonly chain: readonly unknown[];
}

interface Definition {
  readonly thing: string;
  /** Path of the definitions; `*` matches each entry of a list, and each key. */
  readonly at: string;
  /** The name, which no two definitions may share. */
  readonly nameOf: (found: Found, file: string) => readonly unknown[];
}

const DEFINITIONS: readonly Definition[] = [
  { thing: 'supplier', at: 'suppliers.*', nameOf: ({ chain }) => [valueOf(chain.at(-1), 'code')] },
  { thing: 'API key', at: 'api_keys.*', nameOf: ({ chain }) => [valueOf(chain.at(-1), 'key')] },
  {
    thing: 'account',
    at: 'accounts.*',
    nameOf: ({ chain }) =>
      ['import_supplier', 'external_account_number'].map((field) => valueOf(chain.at(-1), field)),
  },
  { thing: 'vendor', at: 'vendors.*', nameOf: ({ chain }) => [valueOf(chain.at(-1), 'code')] },
  {
    thing: 'instruction of the vendor',
    at: 'vendors.*.instructions.*',
    nameOf: ({ chain }) => [valueOf(chain.at(-3), 'code'), valueOf(chain.at(-1), 'reference')],
  },
  { thing: 'product code', at: 'product_codes.*', nameOf: ({ chain }) => [chain.at(-1)] },
  ...['suppliers.*.documents.*', 'enums.*.*', 'enums.*.*.*'].map((at) => ({
    thing: 'value',
    at,
    nameOf: ({ path, chain }: Found, file: string) => [file, entryOf(path.slice(0, -1)), chain.at(-1)],
  })),
];

function repeated(texts: readonly YamlText[]): readonly SeedProblem[] {
  return DEFINITIONS.flatMap(({ thing, at, nameOf }) => {
    const firsts = new Map<string, () => string>();
    return texts.flatMap(({ file, value, positionOf }) =>
      [...entriesAt(at.split('.'), value)].flatMap((found) => {
        const name = nameOf(found, file);
        if (!name.every(isName)) return [];
        const key = JSON.stringify(name.map(String));
        const first = firsts.get(key);
        if (!first) {
          firsts.set(key, () => `${positionText(positionOf(found.path))} (${entryOf(found.path)})`);
          return [];
        }
        const reason = `this ${thing} is already defined at ${first()}`;
        return [{ ...positionOf(found.path), entry: entryOf(found.path), reason }];
      }),
    );
  });
}

const REFERENCES = ['accounts.*.import_supplier', 'api_keys.*.suppliers.*'];

function withoutSupplier(texts: readonly YamlText[]): readonly SeedProblem[] {
  const codes = new Set(
    texts.flatMap(({ value }) =>
      [...entriesAt(['suppliers', '*', 'code'], value)].map(({ chain }) => chain.at(-1)),
    ),
  );
  return texts.flatMap(({ value, positionOf }) =>
    REFERENCES.flatMap((at) => [...entriesAt(at.split('.'), value)])
      .filter(({ chain }) => typeof chain.at(-1) === 'string' && !codes.has(chain.at(-1)))
      .map(({ path }) => ({
        ...positionOf(path),
        entry: entryOf(path),
        reason: 'no supplier has this code: define it under `suppliers`, in this file or another',
      })),
  );
}

/** Whether all suppliers of a file are readable. If not, that is the problem, and references to suppliers are not. */
function suppliersAreReadable({ value }: YamlText): boolean {
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
  { path, chain }: Found = { path: [], chain: [] },
): Generator<Found> {
  const here = [...chain, value];
  if (part === undefined) yield { path, chain: here };
  else
    for (const key of part === '*' ? keysOf(value) : [part])
      yield* entriesAt(rest, valueOf(value, key), { path: [...path, key], chain: here });
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
