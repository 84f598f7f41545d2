import type { ColumnProfile } from '../column/column-profile.ts';
import type { Replacement } from '../column/numbers.ts';
import { isTimeZone } from '../../../core/values/local-time.ts';

/** Zones that are named by letters, with the offset that each means. Letters with several meanings, such as IST, are left out. */
const OFFSETS: Readonly<Record<string, string>> = {
  UTC: 'Z',
  GMT: 'Z',
  WET: 'Z',
  BST: '+01:00',
  CET: '+01:00',
  WEST: '+01:00',
  CEST: '+02:00',
  MEZ: '+01:00',
  MESZ: '+02:00',
  EET: '+02:00',
  EEST: '+03:00',
  EST: '-05:00',
  EDT: '-04:00',
  CDT: '-05:00',
  MST: '-07:00',
  MDT: '-06:00',
  PST: '-08:00',
  PDT: '-07:00',
  JST: '+09:00',
  AEST: '+10:00',
  AEDT: '+11:00',
};

const isOffset = (text: string): boolean => /^(?:Z|[+-]\d\d(?::?\d\d)?)$/.test(text);

function isZone(text: string): boolean {
  return isOffset(text) || Object.hasOwn(OFFSETS, text) || (/^\w+\/\w+/.test(text) && isTimeZone(text));
}

/** The columns whose values are time zones. */
export function zoneColumns(columns: readonly ColumnProfile[]): readonly ColumnProfile[] {
  return columns.filter(({ name, values }) => name !== null && values?.length && values.every(isZone));
}

/** The replacements that turn names of zones into offsets; undefined when a text means no offset by itself. */
export function offsetsOf(values: readonly string[]): readonly Replacement[] | undefined {
  if (!values.every((value) => isOffset(value) || Object.hasOwn(OFFSETS, value))) return undefined;
  return values
    .filter((value) => !isOffset(value))
    .map((value) => ({ pattern: ` ${value}$`, with: ` ${OFFSETS[value]!}` }));
}
