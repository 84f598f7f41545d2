import { DESCRIPTORS, type Resource } from '../../../core/contract/resources.ts';
import { warning } from '../../../core/problem.ts';
import { reportTally, type Oddity, type SeenRecord, type StagedFile } from '../staged-file.ts';
import { counted, countIn, togetherOf, type Tally } from './tally.ts';

/** Days that a program writes when a date is empty: the zero of Unix, of spreadsheets, and of other programs. */
const EMPTY_DAYS = ['1970-01-01', '1899-12-30', '1900-01-01'] as const;

/** The dates of one field. */
interface SeenDates {
  readonly field: string;
  /** By `EMPTY_DAYS`. */
  readonly empty: Map<string, Tally>;
  /** Those with parts of a second. */
  split: Tally | undefined;
}

/** Dates with parts of a second, and dates that stand for none. */
export class OddDates implements Oddity {
  private readonly fields: readonly SeenDates[];

  constructor(resource: Resource) {
    this.fields = DESCRIPTORS[resource].dates.map(({ field }) => ({
      field,
      empty: new Map(),
      split: undefined,
    }));
  }

  see({ fields, line }: SeenRecord): void {
    for (const dates of this.fields) {
      const value = fields[dates.field];
      if (typeof value !== 'string') continue;
      if (value.includes('.')) dates.split = counted(dates.split, line);
      const empty = EMPTY_DAYS.find((day) => value.startsWith(day));
      if (empty) countIn(dates.empty, empty, line);
    }
  }

  report(file: StagedFile): void {
    for (const { field, split, empty } of this.fields) {
      reportTally(file, split, (count) => warning('split_seconds', [field], { count }));
      if (empty.size === 0) continue;
      const days = [...empty.keys()].toSorted().join(', ');
      reportTally(file, togetherOf([...empty.values()]), (count) =>
        warning('dates_stand_for_none', [field], { count, days }),
      );
    }
  }
}
