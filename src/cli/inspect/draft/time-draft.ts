import type { InspectedColumn } from '../inspection.ts';
import { dateDraft, type DateDraft, type DateKeys } from './date-draft.ts';
import { shownName } from './draft-text.ts';
import { specOf, type DraftSetting, type FieldDraft, type FieldSpec } from './field-finding.ts';
import { valuesOf } from './number-draft.ts';

/** A field of a date or a date-time; a date without a time may have its time in a column of its own. */
export function timeDraft(
  column: InspectedColumn,
  target: 'date' | 'datetime',
  { columns }: DraftSetting,
): FieldDraft {
  const draft = dateDraft(column, target);
  if (draft.kind === 'decided')
    return { kind: 'decided', spec: specOf(column, draft.keys), because: draft.because };
  const time = target === 'datetime' ? timeColumnOf(column, columns) : undefined;
  return {
    kind: 'open',
    specs: [
      ...(time ? joined(column, time, draft) : []),
      ...draft.choices.map((keys) => specOf(column, keys)),
    ],
    because: time
      ? `${draft.because} ${shownName(time.column.name)} has times of day, as ${time.format}`
      : draft.because,
  };
}

interface TimeColumn {
  readonly column: InspectedColumn;
  readonly format: string;
}

/** The column with times of day that stands nearest. */
function timeColumnOf(date: InspectedColumn, columns: readonly InspectedColumn[]): TimeColumn | undefined {
  return columns
    .flatMap((column): readonly TimeColumn[] => {
      const format = timeFormatOf(column);
      return format === undefined ? [] : [{ column, format }];
    })
    .toSorted((a, b) => distance(a.column, date) - distance(b.column, date))[0];
}

function distance(a: InspectedColumn, b: InspectedColumn): number {
  return Math.abs(a.column - b.column);
}

/** One format that reads every value as a time of day. */
function timeFormatOf(column: InspectedColumn): string | undefined {
  const times = column.dates?.times ?? [];
  const count = times.reduce((total, each) => total + each.count, 0);
  if (count === 0 || count < valuesOf(column)) return undefined;
  const rests = new Set(times.map(({ format }) => format.replace(/^H+/, '')));
  if (rests.size > 1) return undefined;
  return `${times.some(({ format }) => !format.startsWith('HH')) ? 'H' : 'HH'}${[...rests][0]!}`;
}

/** Both columns as one text, for a template cannot have braces in a name. */
function joined(date: InspectedColumn, time: TimeColumn, draft: DateDraft): readonly FieldSpec[] {
  const names = [date.name, time.column.name];
  if (draft.kind === 'decided' || names.some((name) => name === null || /[{}]/.test(name))) return [];
  return draft.choices.flatMap(({ at, format, ...keys }: DateKeys): readonly FieldSpec[] =>
    at === undefined || format === undefined
      ? []
      : [{ template: `{${names[0]}} {${names[1]}}`, format: `${format} ${time.format}`, ...keys }],
  );
}
