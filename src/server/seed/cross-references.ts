import { attrOfPath, type Path } from '../../core/problem.ts';
import type { SeedFile } from './seed-file.ts';

/** A seed file that is right by itself. */
export interface NamedSeedFile {
  readonly file: string;
  readonly content: SeedFile;
}

interface SeedProblem {
  readonly file: string;
  readonly reason: string;
}

/** What is wrong between the entries of all files: something defined twice, or referred to and not defined. */
export function problemsBetween(files: readonly NamedSeedFile[]): readonly SeedProblem[] {
  const definitions = new Definitions();
  for (const { file, content } of files) {
    content.suppliers.forEach(({ code }, index) =>
      definitions.add('supplier', [code], file, ['suppliers', index, 'code']),
    );
    content.api_keys.forEach(({ key }, index) =>
      definitions.add('key', [key], file, ['api_keys', index, 'key']),
    );
    content.accounts.forEach(({ import_supplier, external_account_number }, index) =>
      definitions.add('account', [import_supplier, external_account_number], file, ['accounts', index]),
    );
    content.vendors.forEach(({ code, instructions }, index) => {
      definitions.add('vendor', [code], file, ['vendors', index, 'code']);
      instructions.forEach(({ reference }, inner) =>
        definitions.add('instruction', [code, reference], file, [
          'vendors',
          index,
          'instructions',
          inner,
          'reference',
        ]),
      );
    });
    content.product_codes?.forEach((code, index) =>
      definitions.add('product code', [code], file, ['product_codes', index]),
    );
  }
  return [...definitions.repeated, ...files.flatMap((file) => unknownSuppliers(file, definitions))];
}

function unknownSuppliers(
  { file, content }: NamedSeedFile,
  definitions: Definitions,
): readonly SeedProblem[] {
  const references: { code: string; path: Path }[] = [
    ...content.accounts.map(({ import_supplier: code }, index) => ({
      code,
      path: ['accounts', index, 'import_supplier'],
    })),
    ...content.api_keys.flatMap(({ suppliers = [] }, index) =>
      suppliers.map((code, inner) => ({ code, path: ['api_keys', index, 'suppliers', inner] })),
    ),
  ];
  return references
    .filter(({ code }) => !definitions.has('supplier', [code]))
    .map(({ code, path }) => ({ file, reason: `${attrOfPath(path)}: no supplier has the code ${code}` }));
}

type Thing = 'supplier' | 'key' | 'account' | 'vendor' | 'instruction' | 'product code';

/** What the files define, and where. */
class Definitions {
  readonly repeated: SeedProblem[] = [];
  readonly #places = new Map<string, string>();

  add(thing: Thing, name: readonly string[], file: string, path: Path): void {
    const place = attrOfPath(path);
    const first = this.#places.get(keyOf(thing, name));
    // A key is a secret: the place has to do.
    if (first)
      this.repeated.push({
        file,
        reason: `${place}: the ${thing}${thing === 'key' ? '' : ` ${name.join(' ')}`} stands in ${first} already`,
      });
    else this.#places.set(keyOf(thing, name), `${file}, ${place}`);
  }

  has(thing: Thing, name: readonly string[]): boolean {
    return this.#places.has(keyOf(thing, name));
  }
}

function keyOf(thing: Thing, name: readonly string[]): string {
  return JSON.stringify([thing, ...name]);
}
