import type { Descriptors, Resource } from '../../../core/contract/resources.ts';
import type { SourceEncoding } from '../../csv/encodings.ts';
import type { ColumnProfile } from '../column/column-profile.ts';
import type { NumberMarks, Replacement } from '../column/numbers.ts';

/** One answer where the file decides, else the answers to choose from. */
export interface Draft<T> {
  readonly isOpen: boolean;
  readonly choices: readonly T[];
  /** The reason; or the question, with its reason. */
  readonly because: string;
}

export function decided<T>(value: T, because: string): Draft<T> {
  return { isOpen: false, choices: [value], because };
}

/** @param because the question, with its reason */
export function open<T>(choices: readonly T[], because: string): Draft<T> {
  return { isOpen: true, choices, because };
}

/** The entry of a field in a mapping file: the name of a column, or keys. */
export type FieldEntry = string | object;
export type FieldDraft = Draft<FieldEntry>;

/** Keys of a mapping that say how numbers are written. */
export type NumberKeys = Partial<NumberMarks> & { readonly replace?: readonly Replacement[] };

/** The wishes for a draft. */
export interface DraftRequest {
  readonly resource: Resource;
  /** Under the contract of the operator; those of the interface when left out. */
  readonly descriptors?: Descriptors | undefined;
  readonly file: string;
  readonly showValues: boolean;
  /** The command that makes the draft again, as the file is read in an encoding. */
  readonly again: (encoding?: SourceEncoding) => string;
}

/** Facts about the whole file, for the lines of a draft. */
export interface DraftSetting extends DraftRequest {
  /** How `source` says numbers are written. A field has its own keys where its column differs. */
  readonly numbers: Partial<NumberMarks>;
  /** Every column of the file, and those that fields come from. */
  readonly columns: readonly ColumnProfile[];
  readonly mapped: readonly ColumnProfile[];
  /** Columns that have a name and that no header makes a field. */
  readonly free: readonly ColumnProfile[];
  /** Rows of the file that are not empty. */
  readonly rows: number;
  /** Columns that feed no field and have one currency in all rows. */
  readonly currencies: readonly ColumnProfile[];
}

/** The entry of a field that comes from a column: the name alone when there are no keys. */
export function entryOf({ name }: ColumnProfile, keys: object = {}): FieldEntry {
  return Object.keys(keys).length > 0 ? { column: name, ...keys } : name;
}

/** Cells that are filled, and not with a word for nothing. */
export function valuesOf({ filled, nullTokens }: ColumnProfile): number {
  return filled - nullTokens.reduce((total, { count }) => total + count, 0);
}
