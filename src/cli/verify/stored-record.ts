import { foldedText } from '../../core/values/plain-text.ts';
import { createHash } from 'node:crypto';
import type { RecordIdentity, ResourceDescriptor } from '../../core/contract/descriptor.ts';
import { compiled } from '../../core/schema.ts';
import { Decimal, withoutLastZeros } from '../../core/values/decimal.ts';
import { isSameJson, exactJson, partsOf, UnreadableNumber } from '../../core/values/exact-json.ts';

type Fields = Readonly<Record<string, unknown>>;

/** A record in the form in which both sides are compared. */
export interface RecordForm {
  readonly identity: RecordIdentity;
  readonly id: string | null;
  readonly type: string | null;
  readonly amount: string | null;
  /** SHA-256 of the content: every field in alphabetical order, decimals without needless zeros. */
  readonly content: Buffer;
  readonly fields: Fields;
}

/** The form of a record in JSON; undefined when it is no record of the resource. `prepared`: changes the JSON before it is read. */
export function recordForm<R>(
  descriptor: ResourceDescriptor<R>,
  text: string,
  prepared = (value: unknown): unknown => value,
): RecordForm | undefined {
  const { schema, schemaFor, identity, idField, typeField, amount } = descriptor;
  const parsed = prepared(exactJson(text));
  const check = compiled(schemaFor?.(parsed) ?? schema);
  let checked = check.safeParse(parsed);
  if (!checked.success) {
    readNumbers(parsed, checked.error.issues);
    checked = check.safeParse(parsed);
  }
  if (!checked.success) return undefined;
  const fields = checked.data as Fields;
  const total = amount && fields[amount.field];
  return {
    identity: identity(checked.data),
    id: idField && (fields[idField] as string),
    type: typeField && (fields[typeField] as string),
    amount: total instanceof Decimal ? total.text : null,
    content: createHash('sha256').update(canonical(fields)).digest(),
    fields,
  };
}

/** A ledger has every number as a text. The fields that must be numbers are the ones that the schema rejects as texts. */
function readNumbers(record: unknown, issues: readonly { path: readonly PropertyKey[] }[]): void {
  for (const { path } of issues) {
    const [name] = path.slice(-1) as string[];
    const holder = path.slice(0, -1).reduce<unknown>((part, step) => partsOf(part)?.[step as string], record);
    const text = partsOf(holder)?.[name!];
    if (typeof text === 'string') Object.assign(holder as object, { [name!]: Decimal.parse(text) ?? text });
  }
}

/** JSON text with sorted keys. A decimal is a number without trailing zeros, so it is never equal to a text. */
function canonical(value: unknown): string {
  if (value instanceof Decimal) return withoutLastZeros(value.text);
  if (value instanceof UnreadableNumber) return value.text;
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).filter(([, part]) => part !== undefined);
  entries.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([name, part]) => `${JSON.stringify(name)}:${canonical(part)}`).join()}}`;
}

/**
 * The fields in which the record that a platform has stored for a row differs, and whether the platform moved its date into the open
 * statement period. `isKnownMove`: whether the platform says that it has moved a date from one day to another.
 */
export function judgeStored<R>(
  { answer, filled = [] }: Pick<ResourceDescriptor<R>, 'answer' | 'filled'>,
  sent: Fields,
  stored: Fields,
  isKnownMove: (before: unknown, after: unknown) => boolean,
) {
  const { movableDate } = answer;
  const isMoved =
    movableDate !== undefined &&
    sent[movableDate.field] !== stored[movableDate.field] &&
    isKnownMove(sent[movableDate.field], stored[movableDate.field]);
  const mayDiffer = (name: string): boolean => {
    if ((filled as readonly string[]).includes(name) && sent[name] === undefined) return true;
    if (!isMoved) return false;
    if (name === movableDate.field) return true;
    // The platform appends a sentence about the move (interface.md 4.3).
    const [before = '', after] = [sent[name], stored[name]];
    const isDescribed = (movableDate.describedIn as readonly string[]).includes(name);
    return isDescribed && typeof after === 'string' && after.startsWith(String(before));
  };
  const names = [...new Set([...Object.keys(sent), ...Object.keys(stored)])];
  const fields = names
    .filter((name) => !mayDiffer(name))
    .flatMap((name) => differingPaths(name, sent[name], stored[name]));
  return { fields, isMoved: isMoved && fields.length === 0 };
}

function differingPaths(path: string, a: unknown, b: unknown): readonly string[] {
  if (typeof a === 'string' && typeof b === 'string') return foldedText(a) === foldedText(b) ? [] : [path];
  const [left, right] = [partsOf(a), partsOf(b)];
  if (!left || !right || Array.isArray(a) !== Array.isArray(b)) return isSameJson(a, b) ? [] : [path];
  const names = [...new Set([...Object.keys(left), ...Object.keys(right)])];
  return names.flatMap((name) => differingPaths(`${path}.${name}`, left[name], right[name]));
}
