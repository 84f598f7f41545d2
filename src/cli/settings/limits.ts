import { count, type Reader, type Reading } from './reading.ts';

/** A rate of requests: so many in a span of time, in milliseconds. */
export interface GivenRate {
  readonly requests: number;
  readonly perMs: number;
}

const PER_MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000 };

const requests = count({ max: 100_000 });

/** `20/s`, or `30/m` for what is slower than one in a second. */
export const rate: Reader<GivenRate> = (text) => {
  const [, number = '', unit = ''] = /^(\d+)\/([sm])$/.exec(text) ?? [];
  const reading = requests(number);
  const perMs = PER_MS[unit];
  return 'value' in reading && perMs !== undefined
    ? { value: { requests: reading.value, perMs } }
    : { reason: 'it must be a whole number of requests in a second or a minute, such as 20/s or 30/m' };
};

/** How many rows may be wrong: a number of them, or a share of all rows that were read. */
export type ErrorLimit = { readonly rows: number } | { readonly percent: number };

const rows = count({ min: 0, max: 1_000_000_000 });
const percent = count({ min: 0, max: 100 });

/** `20`, or `5%`. */
export const errorLimit: Reader<ErrorLimit> = (text) => {
  const reading: Reading<number> = text.endsWith('%') ? percent(text.slice(0, -1)) : rows(text);
  if (!('value' in reading))
    return { reason: 'it must be a whole number of rows, or a share of them such as 5%' };
  return { value: text.endsWith('%') ? { percent: reading.value } : { rows: reading.value } };
};
