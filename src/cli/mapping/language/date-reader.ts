import { missingKey } from './schemas.ts';
import { failure, type Facts, type Problem } from '../../../core/problem.ts';
import { daysAfter, isCalendarDate } from '../../../core/values/calendar-date.ts';
import { hiddenCharacters } from '../../../core/values/hidden-characters.ts';
import { clockOfInstant, dateInZone, parseInstant } from '../../../core/values/instant.ts';
import {
  instantOfEpoch,
  instantsInZone,
  type InstantFinder,
  dateOfSerial,
} from '../../../core/values/local-time.ts';
import { datePattern, type DatePattern, type WrittenTime } from './date-format.ts';
import { StepProblem } from './step-problem.ts';
import type { StepSpec } from './steps.ts';

/** How the dates of a field are written, by the keys of a mapping file. */
export interface DateSpec extends Pick<
  StepSpec,
  'format' | 'time_zone' | 'fold' | 'hour_24' | 'century' | 'months' | 'decimal_mark'
> {
  /** Time of day, `HH:MM:SS`, for formats without one. */
  readonly at?: string | undefined;
}

/** A calendar date, or an instant. */
export type DateKind = 'date' | 'datetime';

/** The result of one format. `shape`: the text is not written in the format at all. `moment`: its day depends on a zone. */
type DateResult =
  | { readonly value: string }
  | { readonly wrong: 'shape' | 'nonexistent' | 'moment' | 'skipped' | 'repeated' };

const SHAPE: DateResult = { wrong: 'shape' };
const NONEXISTENT: DateResult = { wrong: 'nonexistent' };

/** The setting of a field, for the readers of all its formats. */
type Setting = { readonly kind: DateKind; readonly spec: DateSpec; readonly zone: InstantFinder | undefined };

/** Reads a date or date-time in one of several formats. A text that two of them read differently is ambiguous. */
export function dateReader(kind: DateKind, spec: DateSpec): (text: string) => string | StepProblem {
  const zone = spec.time_zone === undefined ? undefined : instantsInZone(spec.time_zone);
  const readers = spec.format.map((format) => readerOf(format, { kind, spec, zone }));
  const names = namesOf(kind, spec);
  const fittingNames = (text: string): string => {
    const format = spec.format.filter((_, at) => 'value' in readers[at]!(text));
    return namesOf(kind, { ...spec, format });
  };
  return (text) => {
    let best: DateResult = SHAPE;
    for (const read of readers) {
      const result = read(text);
      if ('value' in best && 'value' in result && best.value !== result.value)
        return twoDates(fittingNames(text));
      if ('value' in result || (!('value' in best) && result.wrong !== 'shape')) best = result;
    }
    if ('value' in best) return best.value;
    const problems = {
      shape: () => failure('date_unreadable', [], { formats: names, ...hiddenIn(text) }),
      nonexistent: () => failure('date_nonexistent', []),
      moment: () => failure('date_ambiguous', [], { reason: OF_ZONES, todo: SET_ZONE }),
      skipped: () => failure('time_skipped', [], { zone: spec.time_zone! }),
      repeated: () => failure('time_repeated', [], { zone: spec.time_zone! }),
    };
    return new StepProblem(problems[best.wrong]());
  };
}

const OF_ZONES = 'is a moment with an offset, and its day differs from zone to zone';
const SET_ZONE =
  'Set `time_zone` for the field, or in `source`: the day there is taken, such as that in Europe/London.';

function twoDates(formats: string): StepProblem {
  const reason = `fits the formats ${formats}, which make different dates of it`;
  return new StepProblem(failure('date_ambiguous', [], { reason }));
}

/** Names the invisible characters of a text. */
function hiddenIn(text: string): Facts {
  const hidden = hiddenCharacters(text);
  return hidden === '' ? {} : { hidden };
}

function namesOf(kind: DateKind, { format: formats, time_zone }: DateSpec): string {
  const isoNeedsOffset = kind === 'datetime' && time_zone === undefined;
  return formats
    .map((format) => (format === 'iso' && isoNeedsOffset ? '`iso` with an offset' : `\`${format}\``))
    .join(' or ');
}

type Read = (text: string) => DateResult;

function readerOf(format: string, setting: Setting): Read {
  switch (format) {
    case 'iso':
      return isoReader(setting);
    case 'excel_serial':
      return (text) => {
        const local = serialDate(text, setting.kind, setting.spec.decimal_mark);
        return typeof local === 'string'
          ? { wrong: local }
          : // A whole number is the midnight with which its day begins.
            resultOf({ time: setting.spec.at ?? '00:00:00', ...local }, setting);
      };
    case 'epoch_seconds':
      return epochReader(1000, setting);
    case 'epoch_milliseconds':
      return epochReader(1, setting);
    default: {
      const pattern = datePattern(format, setting.spec.months) as DatePattern;
      return (text) => {
        const parts = pattern.parts(text, setting.spec.century);
        return parts ? resultOf(parts, setting) : SHAPE;
      };
    }
  }
}

const ISO =
  /^(?<date>\d{4}-\d{2}-\d{2})(?:[T ](?<time>\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?)(?<offset>Z|[+-]\d{2}:\d{2})?)?$/;

function isoReader(setting: Setting): Read {
  return (text) => {
    const found = ISO.exec(text)?.groups;
    if (!found) return SHAPE;
    const { date, time, offset } = found;
    // A date alone is a format of its own, and a time without an offset needs a zone.
    const isIncomplete = time === undefined || (offset === undefined && !setting.zone);
    if (setting.kind === 'datetime' && isIncomplete) return SHAPE;
    return resultOf({ date: date!, time, offset }, setting);
  };
}

function epochReader(factor: number, { kind, spec }: Setting): Read {
  return (text) => {
    if (!/^-?\d{1,15}$/.test(text)) return SHAPE;
    const epochMs = Number.parseInt(text, 10) * factor;
    const instant = instantOfEpoch(epochMs);
    if (instant === undefined) return NONEXISTENT;
    return { value: kind === 'datetime' ? instant : dateInZone(epochMs, spec.time_zone ?? 'UTC') };
  };
}

function resultOf(written: WrittenTime, { kind, spec, zone }: Setting): DateResult {
  const isMidnight =
    spec.hour_24 === true && MIDNIGHT.test(written.time ?? '') && isCalendarDate(written.date);
  const { date, time, offset } = isMidnight
    ? { ...written, date: daysAfter(written.date, 1), time: '00:00:00' }
    : written;
  if (!isCalendarDate(date) || (time !== undefined && !isTimeOfDay(time))) return NONEXISTENT;
  if (kind === 'date') {
    if (offset === undefined) return { value: date };
    const instant = parseInstant(`${date}T${time}${offset}`);
    if (instant === undefined) return NONEXISTENT;
    // An instant is on one day where it was written, and maybe on another day where the customer is.
    if (spec.time_zone === undefined) return { wrong: 'moment' };
    return { value: dateInZone(clockOfInstant(instant), spec.time_zone) };
  }
  const clock = time ?? spec.at;
  if (clock === undefined) return SHAPE;
  if (offset !== undefined) {
    const instant = parseInstant(`${date}T${clock}${offset}`);
    return instant === undefined ? NONEXISTENT : { value: instant };
  }
  const found = zone!({ date, time: clock }, spec.fold);
  return typeof found === 'string' ? { value: found } : { wrong: found.none };
}

const MIDNIGHT = /^24:00:00(?:\.0+)?$/;

/** `24:00` and a second 60 are no times that could be sent. */
const isTimeOfDay = (time: string): boolean => /^(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d/.test(time);

/** Problems of a field whose formats leave something open that no other key says. */
export function dateFormatNeeds(kind: string, spec: DateSpec): readonly Problem[] {
  const needs = spec.format.flatMap((format) => needsOf(format, kind, spec));
  return [...new Set(needs)].map((needed) => missingKey([], needed));
}

function needsOf(format: string, kind: string, { time_zone, century, at }: DateSpec): readonly string[] {
  const zone = time_zone === undefined ? [`\`time_zone\` for the format \`${format}\``] : [];
  if (format === 'iso') return [];
  if (format.startsWith('epoch_')) return kind === 'date' ? zone : [];
  if (format === 'excel_serial') return kind === 'datetime' ? zone : [];
  const pattern = datePattern(format);
  if (typeof pattern === 'string') return [];
  return [
    ...(pattern.hasShortYear && century === undefined
      ? [`\`century\` for the format \`${format}\`, such as 2000`]
      : []),
    ...((kind === 'datetime') === pattern.hasOffset ? [] : zone),
    ...(kind === 'datetime' && !pattern.hasTime && at === undefined
      ? [`\`at\`, a time of day, for the format \`${format}\``]
      : []),
  ];
}

const MS_PER_DAY = 86_400_000n;

/** The fraction of a time that a spreadsheet shows in whole seconds is wrong by this much, at most. */
const FRACTION_ERROR_MS = 5n;

/**
 * The day and, where the number has a fraction, the time of day that a spreadsheet counts; or why it is neither. 1 is 1900-01-01.
 * Only a date-time may have a fraction. Exact: no float on the way.
 */
function serialDate(
  text: string,
  kind: DateKind,
  decimalMark: string,
): WrittenTime | 'shape' | 'nonexistent' {
  const match = /^(\d{1,7})(?:([.,])(\d{1,20}))?$/.exec(text);
  if (!match) return 'shape';
  const [, days, mark, fraction] = match;
  if (mark !== undefined && mark !== decimalMark) return 'shape';
  if (fraction !== undefined && kind === 'date' && /[1-9]/.test(fraction)) return 'shape';
  const ms = fraction === undefined ? 0n : wholeSeconds(msOfFraction(fraction));
  // The last instant of a day may round up to the next day.
  const date = dateOfSerial(Number.parseInt(days!, 10) + (ms >= MS_PER_DAY ? 1 : 0));
  if (date === undefined) return 'nonexistent';
  if (kind === 'date' || fraction === undefined) return { date };
  return { date, time: instantOfEpoch(Number.parseInt(String(ms % MS_PER_DAY), 10))!.slice(11, -1) };
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
