import * as z from 'zod/mini';
import { accountFields } from '../../../core/contract/account.ts';
import { FIELD_FACTS, schemaBelow, unwrapped } from '../../../core/contract/field.ts';
import type { Resource } from '../../../core/contract/resources.ts';
import type { Path } from '../../../core/problem.ts';
import { Decimal, product, sum } from '../../../core/values/decimal.ts';
import { negated } from '../../../core/values/decimal-shift.ts';
import type { Platform } from '../../platform/platform.ts';
import { valueAt } from '../../../core/rules/schema-problems.ts';
import { amountsOfItems, decimalOf, fieldsOf } from './request-json.ts';

interface Place {
  readonly resource: Resource;
  readonly path: Path;
  /** The body as JSON. */
  readonly body: unknown;
}

/**
 * The values to try at a place: corrections of the given value first, then values of the kind that the field takes. None for a
 * field that the interface does not list.
 */
export function* candidatesFor(place: Place, platform: Platform): Generator<unknown> {
  const { path, body } = place;
  const schema = schemaAt(place, platform);
  if (!schema) return;
  const given = valueAt(body, path);
  if (typeof given === 'string') yield* correctionsOf(given);
  if (given instanceof Decimal) {
    yield Decimal.of(given.text.replace(/(\.\d\d)\d+$/, '$1'));
    yield negated(given);
    yield given.text;
  }
  yield* valuesOf(schema, place, platform);
  if (typeof given === 'string' && given.trim() !== '') yield `${given.trim().slice(0, 40)}-2`;
  yield 'text';
}

/** The schema of a place in a request; undefined for a field that is not listed. */
function schemaAt({ resource, path, body }: Place, platform: Platform): z.ZodMiniType | undefined {
  const { list, schema, schemaFor = () => schema } = platform.descriptors[resource];
  const [first, index, ...below] = path;
  const recordAt = list === null ? [] : [list, typeof index === 'number' ? index : 0];
  const record: z.ZodMiniType = schemaFor(valueAt(body, recordAt) as never);
  if (list !== null && first === list) {
    if (index === undefined) return z.array(record);
    return below.reduce(schemaBelow, record);
  }
  const ofAccount = path.reduce(schemaBelow, z.object(accountFields));
  return ofAccount ?? (list === null ? path.reduce(schemaBelow, record) : undefined);
}

function* valuesOf(schema: z.ZodMiniType, place: Place, platform: Platform): Generator<unknown> {
  const inner = unwrapped(schema);
  if (inner instanceof z.ZodMiniArray) {
    for (const item of valuesOf(inner.def.element as z.ZodMiniType, place, platform)) {
      yield [item];
      yield [item, item];
    }
    return;
  }
  if (inner instanceof z.ZodMiniObject) return yield* objectsOf(inner, place, platform);
  if (inner instanceof z.ZodMiniEnum) return yield* Object.values(inner.def.entries);
  const { kind, known = [] } = FIELD_FACTS.get(inner) ?? { kind: 'text' };
  if (kind === 'decimal') yield* numbersOf(place);
  else if (kind === 'boolean') yield* [true, false];
  else if (kind === 'date') yield* datesOf(place, platform);
  else if (kind === 'datetime') for (const date of datesOf(place, platform)) yield `${date}T12:00:00Z`;
  else {
    yield* namesOf(place.path, platform);
    yield* known;
    if (String(place.path.at(-1)).endsWith('_path')) yield 'statements/2026-01.pdf';
  }
}

/** Most variants of an object, each with the next value of every field. */
const VARIANTS = 4;

/** Objects with the fields that must be there, or with the first field when none must. */
function* objectsOf(schema: z.ZodMiniObject, place: Place, platform: Platform): Generator<unknown> {
  const fields = Object.entries(schema.shape as Record<string, z.ZodMiniType>);
  const required = fields.filter(([, field]) => !(field instanceof z.ZodMiniOptional));
  const values = (required.length > 0 ? required : fields.slice(0, 1)).map(
    ([name, field]) =>
      [name, [...valuesOf(field, { ...place, path: [...place.path, 0, name] }, platform), 'text']] as const,
  );
  for (let variant = 0; variant < VARIANTS; variant++)
    yield Object.fromEntries(values.map(([name, all]) => [name, all[Math.min(variant, all.length - 1)]]));
}

function around({ body, path }: Place): Readonly<Record<string, unknown>> {
  return fieldsOf(valueAt(body, path.slice(0, -1)));
}

/** Numbers that the values around a place ask for, then any. */
function* numbersOf(place: Place): Generator<Decimal> {
  const { price_per_unit, number_of_units } = around(place);
  const parts = amountsOfItems(around(place));
  if (parts.length > 0) yield sum(parts);
  const [price] = decimalOf(price_per_unit);
  const [units] = decimalOf(number_of_units);
  if (price && units) yield product(price, units);
  // Items that are missing as a whole have to add up to the amount of their record.
  yield* decimalOf(valueAt(place.body, [...place.path.slice(0, 2), 'amount']));
  yield Decimal.of('12.50');
  yield Decimal.of('1');
}

/** Days of the fields beside a place and of its record, then of the account. */
function* datesOf(place: Place, platform: Platform): Generator<string> {
  const record = fieldsOf(valueAt(place.body, place.path.slice(0, 2)));
  for (const value of [...Object.values(around(place)), ...Object.values(record)])
    if (typeof value === 'string' && /^\d{4}-\d\d-\d\d/.test(value)) yield value.slice(0, 10);
  const account = accountOf(place.body, platform);
  if (account?.openStatement) yield* [account.openStatement.from, account.openStatement.to];
  yield* [platform.today(), '2026-01-31'];
}

/** The same value in the notation of the interface. */
function* correctionsOf(given: string): Generator<unknown> {
  const text = given.trim();
  yield text;
  const [, day, month, year] = /^(\d{1,2})[./-](\d{1,2})[./-](\d{4})$/.exec(text) ?? [];
  if (day && month && year) {
    yield `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
    yield `${year}-${day.padStart(2, '0')}-${month.padStart(2, '0')}`;
  }
  const time = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d)?)/.exec(text);
  if (time) {
    yield `${time[1]}T${time[2]!.padEnd(8, ':00')}Z`;
    yield time[1];
  }
  if (/^\d{4}-\d\d-\d\d$/.test(text)) yield `${text}T00:00:00Z`;
  const digits = text
    .replaceAll(/[^\d.,-]/g, '')
    .replace(/,(?=\d{3}(?:\D|$))/g, '')
    .replace(',', '.');
  if (/^-?\d{1,15}(\.\d+)?$/.test(digits)) {
    const amount = Decimal.of(digits);
    yield amount;
    yield Decimal.of(digits.replace(/(\.\d\d)\d+$/, '$1'));
    yield negated(amount);
  }
  yield text.toUpperCase().replaceAll(/[\s-]+/g, '_');
  yield text
    .replace(/^[/\\]+/, '')
    .replaceAll('\\', '/')
    .replaceAll('../', '');
  for (const length of [1_000, 255, 100, 64, 50, 40, 20])
    if (text.length > length) yield text.slice(0, length);
}

/** The names that the platform knows for a field. */
function* namesOf(path: Path, { store }: Platform): Generator<string> {
  const field = String(path.at(-1));
  if (field === 'import_supplier') for (const { code } of store.suppliers.all()) yield code;
  if (field === 'product_code') yield* store.productCodes.all();
  for (const { code, instructions } of store.vendors.all()) {
    if (field === 'vendor') yield code;
    for (const instruction of instructions)
      if (field === 'reference' || field === 'type') yield instruction[field];
  }
  const listed = field === 'type' ? 'instruction_type' : field;
  for (const { field: name, value } of store.enumValues.all()) if (name === listed) yield value;
}

function accountOf(body: unknown, { store }: Platform) {
  const { import_supplier, external_account_number } = fieldsOf(body);
  return store.accounts.find({
    import_supplier: String(import_supplier),
    external_account_number: String(external_account_number),
  });
}
