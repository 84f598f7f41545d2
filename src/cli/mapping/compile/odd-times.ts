import { warning, type Problem } from '../../../core/problem.ts';
import { NO_CELL } from '../column-map.ts';
import { dateReader } from '../language/date-reader.ts';
import { isLeaf, visitFields } from '../language/field-visits.ts';
import type { Mapping } from '../language/mapping.ts';
import { stepSpecOf } from '../language/source.ts';
import { templateColumns } from '../language/template.ts';
import type { Columns } from './columns.ts';
import { countLine, type LineTally } from './level.ts';
import type { RowOddities } from './oddities.ts';

/** Fewer times prove nothing. */
const LEAST = { hours: 30, midnights: 10 };

/** The share of times before 7:00 that nobody has who does not work at night. */
const NIGHT_SHARE = 0.2;

const TIME = /(?:^|[ T])(?<hour>\d{1,2}):(?<minute>[0-5]\d)(?::[\d.]+)?(?<offset>Z|[+-]\d\d:?\d\d)?$/;

/** A column that feeds a date or a moment, and the times of day in it. */
type TimedColumn = Readonly<{
  index: number;
  header: string;
  kind: 'date' | 'datetime';
  /** Whether the day of a text is read as it is written. */
  isReadAsWritten: (text: string) => boolean;
  times: Map<string, LineTally>;
}>;

/** Times of day that cannot be: of a clock of 12 hours, and of days that begin at midnight in another zone. */
export function oddTimes(mapping: Mapping, columns: Columns): RowOddities {
  const open = new Set(timedColumns(mapping, columns));
  return {
    see(rows) {
      for (const column of open)
        for (const { cells, firstLine } of rows) {
          const text = (cells[column.index] ?? '').trim();
          if (text === '') continue;
          const { hour, minute, offset } = TIME.exec(text)?.groups ?? {};
          const isOdd =
            column.kind === 'date'
              ? Number(hour) >= 21 && minute === '00' && column.isReadAsWritten(text)
              : Number(hour) >= 1 && Number(hour) <= 12 && offset === undefined;
          if (isOdd) countLine(column.times, hour!.padStart(2, '0'), firstLine);
          else open.delete(column);
        }
    },
    *warnings() {
      for (const { index, header, kind, times } of open) {
        const count = times.values().reduce((sum, each) => sum + each.count, 0);
        const problem = kind === 'date' ? midnights(times, count) : halfDays(times, count);
        if (!problem) continue;
        const line = Math.min(...times.values().map((each) => each.line));
        yield { problem, cell: { ...NO_CELL, line, column: index + 1, header } };
      }
    },
  };
}

type Times = TimedColumn['times'];

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

/** The columns of the file itself. Second files may write times in another way. */
function timedColumns({ document }: Mapping, { names }: Columns): readonly TimedColumn[] {
  return [...visitFields(document)].flatMap((visit): readonly TimedColumn[] => {
    const { column, template } = visit.spec;
    if (!isLeaf(visit) || visit.path.includes('join') || visit.path.includes('each')) return [];
    const { kind } = visit.shape.facts;
    if (kind !== 'date' && kind !== 'datetime') return [];
    const spec = stepSpecOf(visit.source, { ...visit.spec }, kind);
    if (spec.format.some((format) => format.includes('a'))) return [];
    const [read, inUtc] = [spec, { ...spec, time_zone: 'UTC' }].map((each) => dateReader('date', each));
    const isReadAsWritten = (text: string): boolean => read!(text) === inUtc!(text);
    return [column ?? [], ...templateColumns(template)]
      .flat()
      .flatMap((header) =>
        names.includes(header)
          ? [{ index: names.indexOf(header), header, kind, isReadAsWritten, times: new Map() }]
          : [],
      );
  });
}
