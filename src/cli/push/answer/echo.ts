import type { AccountKey } from '../../../core/contract/account.ts';
import type { AnswerForm, Comparison } from '../../../core/contract/descriptor.ts';
import { DESCRIPTORS, type Resource } from '../../../core/contract/resources.ts';
import { compareDecimals, Decimal } from '../../../core/values/decimal.ts';
import { isSameSecond } from '../../../core/values/instant.ts';

/** A record, or the part of an answer that repeats it, with every digit of its numbers. */
export type Fields = Readonly<Record<string, unknown>>;

/** A record as it was sent, and as an answer repeats it. */
interface Repeated {
  readonly sent: Fields;
  readonly answered: Fields;
  /** Whether the platform had the record before. */
  readonly isExisting?: boolean;
}

/** A field whose value in an answer is not the value that was sent. */
export type ValueDifference = Readonly<{ field: string; sent: string; answered: string }>;

/** The fields that an answer repeats with another value than was sent. A field that it leaves out proves nothing. */
export function differencesOf(
  resource: Resource,
  { sent, answered, isExisting = false }: Repeated,
): readonly ValueDifference[] {
  const {
    echoed,
    echoedIfExisting,
  }: Pick<AnswerForm<Fields>, 'echoed' | 'echoedIfExisting'> = DESCRIPTORS[resource].answer;
  return (Object.entries(echoed) as [string, Comparison][]).flatMap(([field, comparison]) => {
    if (isExisting && echoedIfExisting && !echoedIfExisting.includes(field)) return [];
    const [mine, theirs] = [sent[field], answered[field]];
    const agrees = isAbsent(theirs) || AGREES[comparison](mine, theirs);
    return agrees ? [] : [{ field, sent: textOf(mine), answered: textOf(theirs) }];
  });
}

/** Whether a repeated value is the value that was sent. A value that cannot be read does not agree. */
const AGREES: Readonly<Record<Comparison, (sent: unknown, answered: unknown) => boolean>> = {
  // No amount and an amount of zero are the same money.
  amount: (sent, answered) => {
    const [mine, theirs] = [isAbsent(sent) ? ZERO : decimalOf(sent), decimalOf(answered)];
    return mine !== undefined && theirs !== undefined && compareDecimals(mine, theirs) === 0;
  },
  // A platform may fill in a text or a date that was not sent.
  text: (sent, answered) => isAbsent(sent) || answered === sent,
  date: (sent, answered) =>
    isAbsent(sent) || (typeof answered === 'string' && answered.slice(0, 'YYYY-MM-DD'.length) === sent),
  // A platform need not keep fractions of a second, and a time without a zone proves nothing (interface.md 2.1).
  second: (sent, answered) => isAbsent(sent) || isSameSecond(String(sent), textOf(answered)) !== false,
  // A note without a pin is not pinned (interface.md 2.3).
  flag: (sent, answered) => answered === (sent ?? false),
};

const ZERO = Decimal.of('0');

const isAbsent = (value: unknown): boolean => value === undefined || value === null;

/** An amount as a number or as text. */
export function decimalOf(value: unknown): Decimal | undefined {
  if (value instanceof Decimal) return value;
  return typeof value === 'string' ? Decimal.parse(value) : undefined;
}

function textOf(value: unknown): string {
  if (isAbsent(value)) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Whether a part of an answer names another account than the request. A part that names none proves nothing. */
export function namesAnotherAccount(account: AccountKey, part: Fields): boolean {
  return (['import_supplier', 'external_account_number'] as const).some(
    (field) => !isAbsent(part[field]) && textOf(part[field]) !== account[field],
  );
}
