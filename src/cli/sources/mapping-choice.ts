import type { Descriptors, Resource } from '../../core/contract/resources.ts';
import type { OnClose } from '../command/command-ports.ts';
import type { ElementPaths, ReadItem } from '../csv/source-row.ts';
import type { UsedFile } from '../mapping/language/mapping.ts';
import type { PlanResult } from '../mapping/mapping-plan.ts';

/** A source that is read in its format and mapped by its mapping, if it has one. */
export interface MappedSource {
  readonly name: string;
  /** The mapping file; null when the headers are the contract's own. */
  readonly mappedBy: { readonly name: string } | null;
  readonly items: AsyncIterable<readonly ReadItem[]>;
  readonly share: () => number;
  /** Ties the mapping to the header. */
  readonly mapping: (header: readonly string[], elements?: ElementPaths) => PlanResult;
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
