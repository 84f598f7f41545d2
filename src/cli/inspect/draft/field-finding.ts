import type { Resource } from '../../../core/contract/resources.ts';
import type { InspectedColumn } from '../inspection.ts';
import type { NumberKeys } from './number-draft.ts';

/** What a mapping says of a field, with its evidence; or a question, with the answers to choose from. */
export type FieldDraft =
  | { readonly kind: 'decided'; readonly spec: FieldSpec; readonly because: string }
  | { readonly kind: 'open'; readonly specs: readonly FieldSpec[]; readonly because: string };

/** The value of a key of `fields`: the name of a column, or keys. */
export type FieldSpec = string | object | null;

/** What the draft of a field has to know of the whole. */
export interface DraftSetting {
  readonly resource: Resource;
  /** How the source says numbers are written; what a column says beyond it stands at its field. */
  readonly numbers: NumberKeys;
  readonly showValues: boolean;
  /** Every column of the file. */
  readonly columns: readonly InspectedColumn[];
  /** Rows of the file with something in them. */
  readonly rows: number;
}

/** A field that takes a column; the name alone when there is nothing more to say. */
export function specOf({ name }: InspectedColumn, keys: object = {}): FieldSpec {
  return Object.keys(keys).length > 0 ? { column: name, ...keys } : name;
}

/** The answers of a draft, whether it is decided or open. */
export function specsOf(draft: FieldDraft): readonly FieldSpec[] {
  return draft.kind === 'decided' ? [draft.spec] : draft.specs;
}
