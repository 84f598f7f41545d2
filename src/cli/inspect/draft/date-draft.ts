import type { FormatEvidence } from '../date-census.ts';
import type { InspectedColumn } from '../inspection.ts';
import { shownName } from './draft-text.ts';
import { valuesOf } from './number-draft.ts';

/** Keys of a field that say how its dates are written. */
export interface DateKeys {
  readonly format?: string;
  readonly century?: number;
  readonly time_zone?: string;
  readonly at?: string;
  readonly months?: readonly string[];
  readonly replace?: readonly { readonly pattern: string; readonly with: string }[];
}

/** Keys and their evidence, or a question with its answers. */
export type DateDraft =
  | { readonly kind: 'decided'; readonly keys: DateKeys; readonly because: string }
  | { readonly kind: 'open'; readonly choices: readonly DateKeys[]; readonly because: string };

/** Values that must point to the day or the month being first: one may be a slip. */
const ENOUGH = 2;
/** Zones that the answers begin with; any IANA name is fine. */
const ZONES = ['Europe/London', 'Europe/Berlin', 'Australia/Sydney', 'Asia/Tokyo'];
const CENTURIES = [2000, 1900];

/** Dates that are counted. */
const SERIALS = [
  { digits: 5, format: 'excel_serial', what: 'days of a spreadsheet' },
  { digits: 10, format: 'epoch_seconds', what: 'seconds since 1970' },
  { digits: 13, format: 'epoch_milliseconds', what: 'milliseconds since 1970' },
] as const;

/** CYYMMDD made yyyyMMdd. */
const CENTURY_DAYS = {
  format: 'yyyyMMdd',
  kind: 'date' as const,
  hasShortYear: false,
  hasOffset: false,
  replace: [
    { pattern: String.raw`^1(?=\d{6}$)`, with: '20' },
    { pattern: String.raw`^0(?=\d{6}$)`, with: '19' },
  ],
};

function isOfDigits({ numbers, digitCounts, filled }: InspectedColumn, digits: number): boolean {
  return numbers?.integers === filled && digitCounts.length === 1 && digitCounts[0]!.digits === digits;
}

/** @param target what the field of the contract is */
export function dateDraft(column: InspectedColumn, target: 'date' | 'datetime'): DateDraft {
  const values = valuesOf(column);
  const { dates } = column;
  const name = shownName(column.name);
  const [best, ...others] = dates?.formats ?? [];
  const months = dates?.months ?? null;
  const choiceOf = (format: FormatEvidence): DateKeys => completeKeys(format, target, months);
  const serial = SERIALS.find(({ digits }) => isOfDigits(column, digits));
  if (dates !== null && dates.centuryDays === values && values >= ENOUGH) {
    const because = `all ${values} values of ${name} are days as CYYMMDD, with a 1 for years from 2000 on`;
    return withZone(CENTURY_DAYS, target, because);
  }
  if (!best && serial && values >= ENOUGH) {
    const because = `all ${values} values of ${name} are whole numbers of ${serial.digits} digits: do they count the ${serial.what}?`;
    const zone =
      target === 'datetime' && serial.format === 'excel_serial'
        ? { time_zone: ZONES[0]!, at: '12:00:00' }
        : {};
    return { kind: 'open', choices: [{ format: serial.format, ...zone }], because };
  }
  if (!best || values < ENOUGH) {
    const because =
      values < ENOUGH
        ? `${name} has ${values} values, too few to tell their format`
        : `in which format are the dates of ${name}? None that is known reads most of its ${values} values`;
    return { kind: 'open', choices: [], because };
  }
  const complete = [best, ...others].filter(({ fits }) => fits === values);
  if (complete.length === 0) {
    const lines = best.exceptions.lines.join(', ');
    const because = `${best.format} reads ${best.fits} of ${values} values of ${name}; which format are the others (first on line ${lines})?`;
    return { kind: 'open', choices: [best, ...others].map(choiceOf), because };
  }
  const orders = new Set(complete.map(({ order }) => order));
  if (orders.size > 1) {
    const because = `does the day or the month come first in ${name}? No value decides it: all ${values} can be read both ways`;
    return { kind: 'open', choices: complete.map(choiceOf), because };
  }
  const hasRival = [...orders][0] !== null && others.some(({ order }) => order !== best.order);
  if (hasRival && dates!.decidingOrder < ENOUGH) {
    const because = `does the day or the month come first in ${name}? Only one of ${values} values decides it`;
    return { kind: 'open', choices: [best, ...others].map(choiceOf), because };
  }
  return withZone(
    { ...complete[0]!, months: months ?? undefined },
    target,
    `${complete[0]!.format} reads all ${values} values of ${name}`,
  );
}

/** A format with what it needs beside it, for a choice of formats; the zone and the century are the first of several. */
function completeKeys(
  { format, kind, hasShortYear, hasOffset }: FormatEvidence,
  target: 'date' | 'datetime',
  months: readonly string[] | null,
): DateKeys {
  const needsZone = target === 'datetime' && !hasOffset;
  return {
    format,
    ...(months ? { months } : {}),
    ...(hasShortYear ? { century: CENTURIES[0]! } : {}),
    ...(needsZone ? { time_zone: ZONES[0]! } : {}),
    ...(needsZone && kind === 'date' ? { at: '12:00:00' } : {}),
  };
}

/** How a column writes its dates. */
interface WrittenDate extends Pick<FormatEvidence, 'format' | 'kind' | 'hasShortYear' | 'hasOffset'> {
  readonly months?: readonly string[] | undefined;
  readonly replace?: DateKeys['replace'];
}

/** Adds what the format does not say: a century, a zone, a time of day. */
function withZone(
  { format, kind, hasShortYear, hasOffset, months, replace }: WrittenDate,
  target: 'date' | 'datetime',
  because: string,
): DateDraft {
  const keys: DateKeys = {
    ...(replace ? { replace } : {}),
    ...(format === (target === 'date' ? 'yyyy-MM-dd' : 'iso') ? {} : { format }),
    ...(months ? { months } : {}),
  };
  // A date field takes the date of a date-time as it is written there.
  const needsZone = target === 'datetime' && !hasOffset;
  if (hasShortYear) {
    const choices = CENTURIES.map((century) => ({
      ...keys,
      century,
      ...(needsZone ? { time_zone: ZONES[0]! } : {}),
      ...(needsZone && kind === 'date' ? { at: '12:00:00' } : {}),
    }));
    return {
      kind: 'open',
      choices,
      because: `${because}; which century do the two digits of the year mean?`,
    };
  }
  if (needsZone) {
    const choices = ZONES.map((zone) => ({
      ...keys,
      time_zone: zone,
      ...(kind === 'date' ? { at: '12:00:00' } : {}),
    }));
    const what =
      kind === 'date'
        ? 'at what time of day, and in which zone, were they written?'
        : 'in which time zone was it written?';
    return { kind: 'open', choices, because: `${because}; ${what}` };
  }
  return { kind: 'decided', keys, because };
}
