import { readFileSync } from 'node:fs';
import { page } from './page.ts';
import { mapJsonSchema } from '../src/cli/mapping/language/mapping.ts';
import { readContract } from '../src/core/operator/contract-file.ts';
import { narrowedDescriptors } from '../src/core/operator/narrow.ts';

// docs/mapping-reference.md is made from the JSON Schema of the mapping file. scripts/write-codes.ts writes it, and
// test/docs/reference-pages.test.ts compares it with the schema.

type Shape = Readonly<Record<string, unknown>> & { readonly description?: string };

/** The sections of the page: heading, introduction, and the part of the schema. */
const SECTIONS = [
  ['The file', 'Top-level keys.', ({ whole }: Schema) => [whole]],
  ['source', 'How the file is read.', ({ defs }: Schema) => [defs['source']!]],
  [
    'source.fixed',
    'Each column at a fixed place.',
    ({ defs }: Schema) => [itemOf(property(defs['source']!, 'fixed'))],
  ],
  ['source.trailer', 'The control record.', ({ defs }: Schema) => [property(defs['source']!, 'trailer')]],
  [
    'source.trailer.sums',
    'Each cell of the control record with a sum.',
    ({ defs }: Schema) => [itemOf(property(property(defs['source']!, 'trailer'), 'sums'))],
  ],
  [
    'A field',
    'The name of a column, an object with these keys, or a list of such objects. The first object whose `when` holds applies. Steps are taken in this order: `trim` and `null_tokens`, then as listed here. Before the colon are the kinds of fields that have the key.',
    ({ defs }: Schema) => FIELD_KINDS.map((kind) => defs[`${kind}_field`]!),
  ],
  [
    'A list',
    'The keys of `line_items`, `tax_items`, `units` and `document_paths`.',
    ({ defs }: Schema) => [defs['list_of_line_items']!],
  ],
  [
    'rows',
    'An item for each row of the record.',
    ({ defs }: Schema) => [property(defs['list_of_line_items']!, 'rows')],
  ],
  [
    'join',
    'An item for each row of a second file.',
    ({ defs }: Schema) => [property(defs['list_of_line_items']!, 'join')],
  ],
  [
    'A condition',
    'The value of `when`, and an entry of `filter`: one condition, or a list of conditions that all have to be true.',
    ({ defs }: Schema) => [defs['conditions']!],
  ],
  [
    'lookup',
    'The keys of a table in a CSV file. A table in the mapping file has the texts themselves as keys.',
    ({ defs }: Schema) => [property(defs['text_field']!, 'lookup')],
  ],
  ['continuation', 'Which rows are one record together.', ({ defs }: Schema) => [defs['continuation']!]],
] as const;

const FIELD_KINDS = ['text', 'decimal', 'date', 'datetime', 'boolean'] as const;

interface Schema {
  readonly whole: Shape;
  readonly defs: Readonly<Record<string, Shape>>;
}

/** The contract whose added object the page shows. */
const CONTRACT = '../fixtures/contracts/ostrelle/contract.json';

/** The keys of an object that an operator adds, `params` of line items, and an example. */
function addedObject(explained: Explained): readonly string[] {
  const contract = readContract(CONTRACT, readFileSync(new URL(CONTRACT, import.meta.url), 'utf8'));
  const { $defs } = mapJsonSchema(narrowedDescriptors(contract, 'file')) as {
    readonly $defs: Schema['defs'];
  };
  return [
    '## An object that an operator adds',
    '',
    'The keys of an object that only the [contract of an operator](contract.md) has. Give one of `column` and `fields`. An object',
    'whose cells are all empty is left out.',
    '',
    ...keysOf([property($defs['item_of_line_items']!, 'params')], explained),
    '',
    'A mapping under a contract that adds `params` to line items:',
    '',
    '```yaml added-object',
    ...EXAMPLE,
    '```',
  ];
}

const EXAMPLE = `version: 1
resource: transactions
fields:
  import_supplier: { constant: ACME }
  external_account_number: Account
  transaction_id: Bill
  transaction_date: { constant: 2026-02-05 }
  type: { constant: SUPPLY_CHARGE }
  amount: Net
  product_code: { constant: FIXED }
  line_items:
    items:
      - start_date: { constant: 2026-01-01 }
        end_date: { constant: 2026-01-31 }
        number_of_units: { constant: '1' }
        net_amount: Net
        params:
          fields:
            charge_target_type: { constant: REGISTER }
            register_serial_number: Serial`.split('\n');

/** docs/mapping-reference.md */
export function mappingReferencePage(): string {
  const { $defs, ...rest } = mapJsonSchema() as {
    readonly $defs: Schema['defs'];
    readonly oneOf: readonly Shape[];
  };
  const schema = { whole: wholeOf(rest.oneOf), defs: $defs };
  const explained: Explained = new Set();
  return page('Keys of mapping files', [
    'Every key of a mapping file, as `dataimport schema mapping` publishes it for editors. The guide is [mapping.md](mapping.md).',
    ...SECTIONS.flatMap(([heading, says, shapesOf]) => [
      '',
      `## ${heading}`,
      '',
      says,
      '',
      ...keysOf(shapesOf(schema), explained),
    ]),
    '',
    ...addedObject(explained),
  ]);
}

/** One shape for all resources. Their mapping files differ only in the names of the fields. */
function wholeOf(resources: readonly Shape[]): Shape {
  const properties = propertiesOf(resources[0]!);
  const names = resources.flatMap((shape) => property(shape, 'resource')['enum']);
  return { properties: { ...properties, resource: { ...properties['resource'], enum: names } } };
}

/** The keys with their sentences that a section above has. */
type Explained = Set<string>;

/**
 * An entry for each key, and one with the keys that a section above explains in the same words. With several shapes an entry
 * also names the shapes that have the key.
 */
function keysOf(shapes: readonly Shape[], explained: Explained): readonly string[] {
  const keys = [...new Set(shapes.flatMap((shape) => Object.keys(propertiesOf(shape))))].map((key) => {
    const having = shapes.flatMap((shape, index) => (propertiesOf(shape)[key] ? [index] : []));
    const part = propertiesOf(shapes[having[0]!]!)[key]!;
    const kinds =
      having.length === shapes.length ? 'all' : having.map((index) => FIELD_KINDS[index]).join(', ');
    return { key, part, kinds, says: part.description ?? '' };
  });
  const isNew = ({ key, says }: (typeof keys)[number]) => !explained.has(`${key} ${says}`);
  const [shown, repeated] = [keys.filter(isNew), keys.filter((each) => !isNew(each))];
  for (const { key, says } of shown) explained.add(`${key} ${says}`);
  const several = shapes.length > 1;
  const rows = shown.map(({ key, part, kinds, says }) => {
    const ofKinds = several && kinds !== 'all' ? `${kinds}: ` : '';
    return `- \`${key}\` (${ofKinds}${valuesOf(part)}): ${says}`;
  });
  const named = [...Map.groupBy(repeated, ({ kinds }) => kinds)].map(
    ([kinds, ofKinds]) =>
      `${several && kinds !== 'all' ? `for ${kinds} ` : ''}${ofKinds.map(({ key }) => `\`${key}\``).join(', ')}`,
  );
  return [...rows, ...(named.length === 0 ? [] : [`- As above: ${named.join('; ')}.`])];
}

function propertiesOf(shape: Shape): Readonly<Record<string, Shape>> {
  const own = shape['properties'] as Readonly<Record<string, Shape>> | undefined;
  if (own) return own;
  const branches = (shape['anyOf'] ?? []) as readonly Shape[];
  return Object.assign({}, ...branches.map(propertiesOf)) as Readonly<Record<string, Shape>>;
}

function property(shape: Shape, key: string): Shape {
  const found = propertiesOf(shape)[key];
  if (!found) throw new Error(`the schema has no ${key}`);
  return found;
}

function itemOf(list: Shape): Shape {
  return list['items'] as Shape;
}

/** The values of a closed set, or the kind of value. */
function valuesOf(shape: Shape): string {
  if (Array.isArray(shape['enum'])) return shape['enum'].map((value) => `\`${String(value)}\``).join(' ');
  if ('const' in shape) return `\`${String(shape['const'])}\``;
  if (Array.isArray(shape['type'])) return 'text';
  if (shape['type'] === 'array') return listOf(itemOf(shape));
  if (shape['type'] === 'object') return 'object';
  if (shape['type'] === 'integer') return 'whole number';
  if (shape['type'] === 'boolean') return '`true` `false`';
  const branches = (shape['anyOf'] ?? []) as readonly Shape[];
  return branches.length === 0 ? (shape['$ref'] === undefined ? 'text' : 'object') : namesOf(branches);
}

/** The kind of a list, with the values of a closed set, or the keys of small objects. Larger ones have a section. */
function listOf(items: Shape): string {
  if (Array.isArray(items['enum'])) return `list of ${valuesOf(items)}`;
  const keys = items['type'] === 'object' ? Object.keys(propertiesOf(items)) : [];
  if (keys.length > 3) return 'list of objects';
  return keys.length === 0 ? 'list' : `list of objects with ${keys.map((key) => `\`${key}\``).join(' ')}`;
}

function namesOf(branches: readonly Shape[]): string {
  const names = new Set(branches.map(valuesOf));
  // A number or a truth value where a text is expected is read as the text that is written there.
  if (names.has('text')) names.delete('whole number');
  return [...names].join(', ');
}
