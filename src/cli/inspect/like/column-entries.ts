import type { CellKind } from '../../mapping/language/fields.ts';
import type { ColumnProfile } from '../column/profiled-column.ts';
import { mayBeSerial } from '../draft/date-draft.ts';
import { answersOf, type DraftSetting, type FieldEntry } from '../draft/draft.ts';
import { fieldDraft } from '../draft/field-draft.ts';
import { literalPattern } from '../table/total-rows.ts';

type Keys = Readonly<Record<string, unknown>>;

/** Zones that are tried. Of zones that agree in every row the first is taken. */
const ZONES =
  'Europe/London Europe/Berlin Australia/Sydney Asia/Tokyo UTC Europe/Lisbon Europe/Athens Europe/Istanbul Europe/Moscow America/New_York America/Chicago America/Denver America/Los_Angeles America/Sao_Paulo Asia/Kolkata Asia/Singapore Australia/Brisbane Australia/Adelaide Australia/Perth Pacific/Auckland Africa/Johannesburg'.split(
    ' ',
  );
const UNITS: readonly Keys[] = [{}, { unit: 'minor' }, { unit: 'major' }, { unit: 'major', minor_digits: 0 }];

/** The entries that may make a field of this kind from one column, the simplest first. */
export function columnEntries(
  field: string,
  kind: CellKind,
  column: ColumnProfile,
  setting: DraftSetting,
): readonly FieldEntry[] {
  const { name, dates, numbers, patterns, spacesAround, nullTokens } = column;
  const drafted = answersOf(fieldDraft(field, column, setting));
  const nothing =
    nullTokens.length > 0 ? [{ null_tokens: ['', ...nullTokens.map(({ token }) => token)] }] : [];
  const withKeys = (keys: readonly Keys[]): readonly object[] =>
    keys.map((each) => ({ column: name, ...each }));
  if (kind === 'text') {
    const spaces = spacesAround.count > 0 ? [{ trim: true }, { trim: false }] : [];
    return [name, ...withKeys([...spaces, ...nothing, { case: 'upper' }, { case: 'lower' }]), ...drafted];
  }
  if (kind === 'decimal') {
    // A triangle is a minus in Japan.
    const hasTriangle = patterns.some(({ pattern }) => pattern.startsWith('△'));
    if (!numbers && !hasTriangle) return [];
    const triangle = hasTriangle ? [{ replace: [{ pattern: '^△', with: '-' }] }] : [];
    const marks = (numbers?.marks ?? []).map(({ decimalMark, thousandsMark }) => ({
      decimal_mark: decimalMark,
      ...(thousandsMark === null ? {} : { thousands_mark: thousandsMark }),
    }));
    const firsts = [
      {},
      ...triangle,
      ...nothing,
      ...triangle.flatMap((one) => nothing.map((other) => ({ ...one, ...other }))),
    ];
    const keyed = firsts.flatMap((first) => [{}, ...marks].map((mark) => ({ ...first, ...mark })));
    const bases = [...drafted.filter(isKeyed), ...withKeys(keyed)];
    return [name, ...bases.flatMap((base) => UNITS.map((unit) => ({ ...base, ...unit })))];
  }
  if (kind === 'date' || kind === 'datetime') {
    if (!dates && !mayBeSerial(column)) return [];
    const zoned = drafted.filter(isKeyed).flatMap(zonesOf);
    const folds = ['earlier', 'later'].flatMap((fold) => zoned.map((entry) => ({ ...entry, fold })));
    return [...drafted, ...zoned, ...(kind === 'datetime' ? folds : [])];
  }
  return [name, ...drafted];
}

/** The same date in other zones, where the entry has a zone. */
function zonesOf(entry: object): readonly object[] {
  const times: readonly Keys[] = 'at' in entry ? [{ at: '12:00:00' }, { at: '00:00:00' }] : [{}];
  if (!('time_zone' in entry)) return [];
  return ZONES.flatMap((zone) => times.map((at) => ({ ...entry, time_zone: zone, ...at })));
}

const isKeyed = (entry: FieldEntry): entry is object => typeof entry === 'object' && entry !== null;

/** Debit less credit, for each pair of columns of which a row fills one. */
export function differenceEntries(columns: readonly ColumnProfile[]): readonly FieldEntry[] {
  const halves = columns.filter(
    ({ numbers, empty, filled }) => numbers && empty > 0 && numbers.count === filled,
  );
  return halves.flatMap((debit) =>
    halves.flatMap((credit) => (debit === credit ? [] : [{ debit: debit.name, credit: credit.name }])),
  );
}

/** Keys that make a text from a cell: zeros before it, a part cut off, other characters. */
export function repairs(cell: string, text: string): readonly Keys[] {
  const pad = { pad: { length: text.length, with: '0' } };
  const pads = cell.length < text.length && text === cell.padStart(text.length, '0') ? [pad] : [];
  const at = cell.indexOf(text);
  const cut = at >= 0 && cell !== text ? cuts(cell.slice(0, at), cell.slice(at + text.length)) : [];
  return [...pads, ...cut.map((replace) => ({ replace })), ...exchanges(cell, text)];
}

/** Both ways to cut what is around a text: these very characters, or any of their kind. */
function cuts(before: string, behind: string): readonly (readonly object[])[] {
  const kind = (text: string): string =>
    literalPattern(text)
      .replaceAll(/\p{Lu}/gu, '[A-Z]')
      .replaceAll(/\p{Ll}/gu, '[a-z]')
      .replaceAll(/\d/g, String.raw`\d`);
  return [literalPattern, kind].map((pattern) => [
    ...(before === '' ? [] : [{ pattern: `^${pattern(before)}`, with: '' }]),
    ...(behind === '' ? [] : [{ pattern: `${pattern(behind)}$`, with: '' }]),
  ]);
}

/** One mark in place of another, behind a part that is cut off. */
function exchanges(cell: string, text: string): readonly Keys[] {
  const rest = cell.slice(-text.length);
  const pairs = new Map<string, string>();
  if (rest.length !== text.length || rest === text) return [];
  for (const [at, from] of [...rest].entries()) {
    const to = [...text][at] ?? '';
    if (from === to) continue;
    if ((pairs.get(from) ?? to) !== to || /[\p{L}\p{N}]/u.test(from)) return [];
    pairs.set(from, to);
  }
  const changed = [...pairs].map(([from, to]) => ({ pattern: literalPattern(from), with: to }));
  return cuts(cell.slice(0, -text.length), '').map((head) => ({ replace: [...head, ...changed] }));
}

/** Templates of one or two columns that make a text, with the characters around them; most of it from columns first. */
export function templates(
  text: string,
  cells: readonly string[],
  columns: readonly ColumnProfile[],
): readonly FieldEntry[] {
  const parts = columns.flatMap(({ column, name }) => {
    const cell = cells[column - 1]?.trim() ?? '';
    return cell === '' || /[{}]/.test(name!) || !text.includes(cell) ? [] : [{ name: name!, cell }];
  });
  const literal = (part: string): string => part.replaceAll(/[{}]/g, '$&$&');
  const put = (
    rest: string,
    [part, ...more]: readonly { name: string; cell: string }[],
  ): readonly string[] => {
    if (!part) return [literal(rest)];
    const at = rest.indexOf(part.cell);
    if (at < 0) return [];
    const head = `${literal(rest.slice(0, at))}{${part.name}}`;
    return put(rest.slice(at + part.cell.length), more).map((tail) => head + tail);
  };
  const pairs = parts.flatMap((one) => [
    [one],
    ...parts.filter((other) => other !== one).map((other) => [one, other]),
  ]);
  const constant = (template: string): number => template.replaceAll(/\{[^{}]*\}/g, '').length;
  const found = pairs.flatMap((chosen) => put(text, chosen));
  return found.toSorted((a, b) => constant(a) - constant(b)).map((template) => ({ template }));
}
