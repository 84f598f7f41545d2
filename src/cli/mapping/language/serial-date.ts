import { dateOfSerial } from '../../../core/values/local-time.ts';

/** A day and, where the number has a fraction, a time of day, as a spreadsheet counts; or why it is neither. */
type SerialDate = { readonly date: string; readonly time?: string } | 'shape' | 'nonexistent';

const MS_PER_DAY = 86_400_000n;

/** The fraction of a time that a spreadsheet shows in whole seconds is wrong by this much, at most. */
const FRACTION_ERROR_MS = 5n;

/** Reads the number of a day; 1 is 1900-01-01. Only a date-time may have a fraction. Exact: no float on the way. */
export function serialDate(text: string, kind: 'date' | 'datetime', decimalMark: string): SerialDate {
  const match = /^(\d{1,7})(?:([.,])(\d{1,20}))?$/.exec(text);
  if (!match) return 'shape';
  const [, days, mark, fraction] = match;
  if (mark !== undefined && mark !== decimalMark) return 'shape';
  if (fraction !== undefined && kind === 'date' && /[1-9]/.test(fraction)) return 'shape';
  const ms = fraction === undefined ? 0n : wholeSeconds(msOfFraction(fraction));
  // The last instant of a day may round up to the next day.
  const day = Number.parseInt(days!, 10) + (ms >= MS_PER_DAY ? 1 : 0);
  const date = dateOfSerial(day);
  if (date === undefined) return 'nonexistent';
  return kind === 'datetime' && fraction !== undefined ? { date, time: timeOf(ms % MS_PER_DAY) } : { date };
}

function msOfFraction(fraction: string): bigint {
  const scale = 10n ** BigInt(fraction.length);
  return (BigInt(fraction) * MS_PER_DAY + scale / 2n) / scale;
}

function wholeSeconds(ms: bigint): bigint {
  const rest = ms % 1000n;
  if (rest <= FRACTION_ERROR_MS) return ms - rest;
  return rest >= 1000n - FRACTION_ERROR_MS ? ms - rest + 1000n : ms;
}

function timeOf(ms: bigint): string {
  const two = (value: bigint): string => String(value).padStart(2, '0');
  const seconds = ms / 1000n;
  const fraction = ms % 1000n === 0n ? '' : `.${String(ms % 1000n).padStart(3, '0')}`;
  return `${two(seconds / 3600n)}:${two((seconds / 60n) % 60n)}:${two(seconds % 60n)}${fraction}`;
}
