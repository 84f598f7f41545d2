import { warning, type Problem } from '../../../core/problem.ts';
import { dateReader, type DateKind } from '../language/date-reader.ts';
import { isElsewhere, isLeaf, visitFields } from '../language/field-visits.ts';
import type { Mapping } from '../language/mapping.ts';
import { stepSpecOf } from '../language/source.ts';
import type { StepSpec } from '../language/steps.ts';
import { templateColumns } from '../language/template.ts';
import type { Columns } from './columns.ts';
import { countIn } from '../../../core/values/counts.ts';
import type { LineTally } from './level.ts';
import type { RowOddities } from './oddities.ts';

/** Fewer times prove nothing. */
const LEAST = { hours: 30, midnights: 10 };

/** The share of times before 7:00 that nobody has who does not work at night. */
const NIGHT_SHARE = 0.2;

const TIME = /(?:^|[ T])(?<hour>\d{1,2}):(?<minute>[0-5]\d)(?::[\d.]+)?(?<offset>Z|[+-]\d\d:?\d\d)?$/;

/** A column that feeds a date or a moment, with the spec of the field. */
type DateColumn = Readonly<{
  index: number;
  kind: DateKind;
  spec: StepSpec;
  isAlone: boolean;
}>;

/** The columns of the file itself that feed dates. Second files may write them in another way. */
export function dateColumns({ document }: Mapping, { names }: Columns): readonly DateColumn[] {
  return [...visitFields(document)].flatMap((visit): readonly DateColumn[] => {
    const { column, template, when } = visit.spec;
    if (!isLeaf(visit) || isElsewhere(visit.path)) return [];
    const { kind } = visit.shape.facts;
    if (kind !== 'date' && kind !== 'datetime') return [];
    const spec = stepSpecOf(visit.source, visit.spec, kind);
    const isAlone = column !== undefined && when === undefined;
    return [column ?? [], ...templateColumns(template)].flat().flatMap((header) => {
      const index = names.indexOf(header);
      return index < 0 ? [] : [{ index, kind, spec, isAlone }];
    });
  });
}

/** Times of day that cannot be: of a clock of 12 hours, and of days that begin at midnight in another zone. */
export function oddTimes(mapping: Mapping, columns: Columns): RowOddities {
  const open = new Map<DateColumn, Times>();
  for (const column of dateColumns(mapping, columns))
    if (!column.spec.format.some((format) => format.includes('a'))) open.set(column, new Map());
  return {
    see(rows) {
      for (const [column, times] of open)
        for (const { cells, firstLine } of rows) {
          const text = (cells[column.index] ?? '').trim();
          if (text === '') continue;
          const hour = oddHourOf(text, column, times);
          if (hour === undefined) open.delete(column);
          else countIn(times, hour, firstLine);
        }
    },
    *warnings() {
      for (const [{ index, kind }, times] of open) {
        const count = times.values().reduce((sum, each) => sum + each.count, 0);
        const problem = kind === 'date' ? midnights(times, count) : halfDays(times, count);
        const line = Math.min(...times.values().map((each) => each.first));
        if (problem) yield { problem, cell: { ...columns.at(index).cell, line } };
      }
    },
  };
}

/** The hour of a text, if it may be odd. For a date that is late in the evening; for a moment without an offset it is at most 12. */
function oddHourOf(text: string, { kind, spec }: DateColumn, seen: Times): string | undefined {
  const { hour = '', minute, offset } = TIME.exec(text)?.groups ?? {};
  const isOdd =
    kind === 'date'
      ? hour >= '21' && minute === '00' && (seen.has(hour) || isReadAsWritten(text, spec))
      : /^(?:0?[1-9]|1[0-2])$/.test(hour) && offset === undefined;
  return isOdd ? hour.padStart(2, '0') : undefined;
}

/** Whether the day of a text is taken as it is written, whatever its zone. */
const isReadAsWritten = (text: string, spec: StepSpec): boolean =>
  dateReader('date', spec)(text) === dateReader('date', { ...spec, time_zone: 'UTC' })(text);

/** How often each hour occurs. */
type Times = Map<string, LineTally>;

function midnights(times: Times, count: number): Problem | undefined {
  if (count < LEAST.midnights || times.size > 2) return undefined;
  const hours = [...times.keys()].toSorted().map((hour) => `${hour}:00`);
  return warning('date_implausible', [], {
    what: `has the time ${hours.join(' or ')} in all ${count} rows, which is midnight in a zone to the east, so that the day before is read`,
    todo: 'Write the zone of the supplier, such as `time_zone: Europe/Berlin`, and a format with an offset. Nothing to do when these are times of day.',
  });
}

function halfDays(times: Times, count: number): Problem | undefined {
  const ofNight = [...times].reduce((sum, [hour, each]) => (hour < '07' ? sum + each.count : sum), 0);
  if (count < LEAST.hours || ofNight < count * NIGHT_SHARE || !times.has('11') || !times.has('12'))
    return undefined;
  return warning('date_implausible', [], {
    what: `has only hours from 1 to 12, in all ${count} rows: the half of the day is lost`,
    todo: 'Export the file again with 24 hours (`HH`), or with AM and PM, which `hh` and `a` of `format` read.',
  });
}
