import { AppError } from '../../core/app-error.ts';
import type { Descriptors, Resource } from '../../core/contract/resources.ts';
import type { OnClose } from '../command/command-ports.ts';
import type { UsedFile } from '../mapping/language/mapping.ts';
import type { StageSource } from '../push/stage-job.ts';

/** A source that is read in its format and mapped by its mapping, if it has one. */
export interface MappedSource extends StageSource {
  /** The mapping file; null when the headers are the contract's own. */
  readonly mappedBy: { readonly name: string } | null;
  /** What a file of its rejects ends with. */
  readonly endOfRejects: Buffer;
  /** Mapping files, lookup tables and joined files that the records are made with. */
  readonly usedFiles: readonly UsedFile[];
}

export interface MappingChoice {
  readonly resource: Resource;
  /** File of --map, for all sources. */
  readonly map?: string | undefined;
  readonly supplier: string | undefined;
  /** Under the contract of the operator; those of the interface when left out. */
  readonly descriptors?: Descriptors | undefined;
}

export interface MappingPorts {
  /** The folder in which the command was typed. */
  readonly cwd: string;
  readonly onClose: OnClose;
}

/** `place`: where the files could name the supplier. */
export const supplierMissing = (place: string): AppError =>
  new AppError('setting_invalid', {
    setting: 'supplier',
    what: 'is missing',
    todo: `Give --supplier or ${place}, set DATAIMPORT_SUPPLIER, or write it to dataimport.config.yaml.`,
  });
