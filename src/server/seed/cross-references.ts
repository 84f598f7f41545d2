import type { Path } from '../../core/problem.ts';
import type { YamlText } from '../../core/yaml/yaml-text.ts';
import { seedFile } from './seed-file.ts';
import { entryOf, positionText, type SeedProblem } from './seed-problem.ts';

/**
 * The problems between the entries of all files: a thing is defined twice, or referred to and not defined. Reads the files as
 * they are written, so that these problems are reported together with those of single entries.
 * @param isWhole false when a file is unreadable: it may define what other files refer to
 * @param suppliers codes that are there before
 */
export function problemsBetween(
  texts: readonly YamlText[],
  { isWhole, suppliers = [] }: { isWhole: boolean; suppliers?: readonly string[] },
): readonly SeedProblem[] {
  return [
    ...repeated(texts),
    ...(isWhole && texts.every(suppliersAreReadable) ? withoutSupplier(texts, suppliers) : []),
  ];
}

/** A value of the file. There are tens of thousands of them, so each knows only the value around it. */
interface Found {
  readonly value: unknown;
  /** Undefined for the root. */
  readonly key: string | number | undefined;
  readonly outer: Found | undefined;
}

interface Definition {
  readonly thing: string;
  /** Path of the definitions; `*` matches each entry of a list, and each key. */
  readonly at: string;
  /** The name, which no two definitions may share. */
  readonly nameOf: (found: Found, file: string) => readonly unknown[];
}

const DEFINITIONS: readonly Definition[] = [
  { thing: 'supplier', at: 'suppliers.*', nameOf: ({ value }) => [valueOf(value, 'code')] },
  { thing: 'API key', at: 'api_keys.*', nameOf: ({ value }) => [valueOf(value, 'key')] },
  {
    thing: 'account',
    at: 'accounts.*',
    nameOf: ({ value }) => [valueOf(value, 'import_supplier'), valueOf(value, 'external_account_number')],
  },
  { thing: 'vendor', at: 'vendors.*', nameOf: ({ value }) => [valueOf(value, 'code')] },
  {
    thing: 'instruction of the vendor',
    at: 'vendors.*.instructions.*',
    nameOf: ({ value, outer }) => [valueOf(outer!.outer!.value, 'code'), valueOf(value, 'reference')],
  },
  { thing: 'product code', at: 'product_codes.*', nameOf: ({ value }) => [value] },
  ...['suppliers.*.documents.*', 'enums.*.*', 'enums.*.*.*'].map((at) => ({
    thing: 'value',
    at,
    nameOf: ({ value, outer }: Found, file: string) => [file, entryOf(pathOf(outer!)), value],
  })),
];

function repeated(texts: readonly YamlText[]): readonly SeedProblem[] {
  const problems: SeedProblem[] = [];
  for (const { thing, at, nameOf } of DEFINITIONS) {
    const firsts = new Map<string, Found>();
    const textOf = new Map<Found, YamlText>();
    for (const text of texts) {
      const { file, value, positionOf } = text;
      const root = rootWith(value);
      textOf.set(root, text);
      for (const found of entriesAt(at.split('.'), root)) {
        const name = nameOf(found, file);
        if (!name.every((part) => typeof part === 'string' || typeof part === 'number')) continue;
        const key = JSON.stringify(name.map(String));
        const first = firsts.get(key);
        if (first) {
          const [path, firstPath] = [pathOf(found), pathOf(first)];
          const there = textOf.get(rootOf(first))!.positionOf(firstPath);
          const reason = `this ${thing} is already defined at ${positionText(there)} (${entryOf(firstPath)})`;
          problems.push({ ...positionOf(path), entry: entryOf(path), reason });
        } else firsts.set(key, found);
      }
    }
  }
  return problems;
}

const REFERENCES = ['accounts.*.import_supplier', 'api_keys.*.suppliers.*'];

function withoutSupplier(texts: readonly YamlText[], known: readonly string[]): readonly SeedProblem[] {
  const codes = new Set<unknown>([
    ...known,
    ...texts.flatMap(({ value }) =>
      [...entriesAt(['suppliers', '*', 'code'], rootWith(value))].map((found) => found.value),
    ),
  ]);
  return texts.flatMap(({ value, positionOf }) =>
    REFERENCES.flatMap((at) =>
      // Filtered one by one, because a seed may have tens of thousands of accounts.
      entriesAt(at.split('.'), rootWith(value))
        .filter((found) => typeof found.value === 'string' && !codes.has(found.value))
        .map((found) => ({
          ...positionOf(pathOf(found)),
          entry: entryOf(pathOf(found)),
          reason: 'no supplier has this code: define it under `suppliers`, in this file or another',
        }))
        .toArray(),
    ),
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

function rootWith(value: unknown): Found {
  return { value, key: undefined, outer: undefined };
}

const rootOf = (found: Found): Found => (found.outer === undefined ? found : rootOf(found.outer));

const pathOf = ({ key, outer }: Found): Path => (outer === undefined ? [] : [...pathOf(outer), key!]);

function* entriesAt([part, ...rest]: readonly string[], outer: Found): Generator<Found> {
  const { value } = outer;
  for (const key of part === '*' ? keysOf(value) : [part!]) {
    const found = { value: valueOf(value, key), key, outer };
    if (rest.length === 0) yield found;
    else yield* entriesAt(rest, found);
  }
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
