import type { Resource } from '../../core/contract/resources.ts';
import type { SourceFormat } from '../csv/source-format.ts';
import type { SourceFingerprint } from '../csv/source-row.ts';
import type { LookupTables } from './lookup.ts';
import type { MappingDocument } from './mapping-file/mapping-schema.ts';

/** A file that a mapping is made of, as it was when it was read. */
export interface UsedFile {
  readonly name: string;
  readonly fingerprint: SourceFingerprint;
}

/** A mapping that was checked, ready to be tied to the header of a file. */
export interface Mapping {
  /** The mapping file, as it was typed or found. */
  readonly name: string;
  readonly resource: Resource;
  readonly format: SourceFormat;
  readonly document: MappingDocument;
  readonly tables: LookupTables;
  /** The mapping file first, then what it includes and looks up. */
  readonly files: readonly UsedFile[];
}
