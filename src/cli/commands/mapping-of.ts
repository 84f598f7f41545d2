import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { AppError } from '../../core/app-error.ts';
import type { Resource } from '../../core/contract/resources.ts';
import type { CommandContext } from '../command.ts';
import { readCsv } from '../csv/read-csv.ts';
import { openSourceFile, type OpenFile, type SourceFile } from '../csv/source-file.ts';
import type { ReadItem } from '../csv/source-row.ts';
import type { JoinStore } from '../mapping/joined-rows.ts';
import { loadJoins } from '../mapping/compile/joined-files.ts';
import { needMapping } from '../mapping/file/load-mapping.ts';
import type { Mapping, UsedFile } from '../mapping/language/mapping.ts';
import { planByHeader } from '../mapping/compile/plan-by-header.ts';
import { planByMapping } from '../mapping/compile/plan-by-mapping.ts';
import type { PlanResult } from '../mapping/mapping-plan.ts';
import type { JoinStores } from '../run-file/join-store.ts';

/** A source that is read in its format and mapped by its mapping, if it has one. */
export interface MappedSource {
  readonly name: string;
  /** The mapping file; null when the headers are the contract's own. */
  readonly mappedBy: { readonly name: string; readonly hasTrailer: boolean } | null;
  readonly items: AsyncIterable<ReadItem>;
  /** Ties the mapping to the header. */
  readonly mapping: (header: readonly string[]) => PlanResult;
  /** Mapping files, lookup tables and joined files that the records are made with. */
  readonly usedFiles: readonly UsedFile[];
}

/** What decides how files are mapped. */
export interface MappingChoice {
  readonly resource: Resource;
  /** File of --map, for all sources. */
  readonly map?: string;
  readonly supplier: string | undefined;
  /** False when the files have no control record although the mapping describes one. */
  readonly trailer?: boolean;
}

/**
 * The mapping of each source: of --map, else of the file that lies beside it, else its headers are the contract's own.
 * @throws AppError `mapping_invalid`, `mapping_resource_differs`, `file_not_readable`
 */
export async function mappedSources(
  sources: readonly SourceFile[],
  choice: MappingChoice,
  context: CommandContext,
): Promise<readonly MappedSource[]> {
  const bySource = sources.map((source) => choice.map ?? mappingBeside(source.name, context.io.cwd));
  const byName = new Map<string, TiedMapping>();
  for (const name of new Set(bySource.filter((found) => found !== undefined))) {
    const names = sources.filter((_, index) => bySource[index] === name).map((source) => source.name);
    byName.set(name, await tied(name, names, choice, context));
  }
  return sources.map((source, index) => {
    const name = bySource[index];
    return name === undefined ? byHeader(source, choice) : byName.get(name)!.mapped(source);
  });
}

/** The mapping file that lies beside a source: `x.csv.map.yaml`, for `x.csv.gz`, too. */
function mappingBeside(source: string, cwd: string): string | undefined {
  const stems = [source, source.replace(/\.gz$/i, '')];
  return stems.map((stem) => `${stem}.map.yaml`).find((name) => existsSync(resolve(cwd, name)));
}

function byHeader(source: SourceFile, { resource, supplier }: MappingChoice): MappedSource {
  return {
    name: source.name,
    mappedBy: null,
    items: readCsv(source),
    mapping: (header) => planByHeader(resource, header, supplier),
    usedFiles: [],
  };
}

interface TiedMapping {
  mapped(source: SourceFile): MappedSource;
}

async function tied(
  name: string,
  sources: readonly string[],
  { resource, supplier, trailer = true }: MappingChoice,
  context: CommandContext,
): Promise<TiedMapping> {
  const whole = await needMapping(name, openerOf(context));
  const mapping = trailer ? whole : withoutTrailer(whole);
  if (mapping.resource !== resource)
    throw new AppError('mapping_resource_differs', {
      mapping: name,
      expected: mapping.resource,
      given: resource,
    });
  const joins = await joinsOf(mapping, sources, context);
  const usedFiles = [...mapping.files, ...joins.files];
  return {
    mapped: (source) => ({
      name: source.name,
      mappedBy: { name, hasTrailer: mapping.format.trailer !== null },
      items: readCsv(source, mapping.format),
      mapping: (header) => planByMapping(mapping, header, { supplier, joins: joins.tablesFor(source.name) }),
      usedFiles,
    }),
  };
}

/** The mapping of files without the control record that it describes, such as rejects. */
function withoutTrailer({ document, format, ...mapping }: Mapping): Mapping {
  const { trailer: _, ...source } = document.source ?? {};
  return { ...mapping, document: { ...document, source }, format: { ...format, trailer: null } };
}

/** The second files of a mapping, kept in a private file of their own until the command ends. */
export async function joinsOf(
  mapping: Mapping,
  sources: readonly string[],
  context: CommandContext,
): ReturnType<typeof loadJoins> {
  let stores: Promise<JoinStores> | undefined;
  const makeStore = async (): Promise<JoinStore> => (await (stores ??= temporaryStores(context))).make();
  return loadJoins(mapping, sources, { open: openerOf(context), makeStore });
}

/** SQLite is loaded only where a mapping joins something. */
async function temporaryStores(context: CommandContext): Promise<JoinStores> {
  const { openJoinStores } = await import('../run-file/join-store.ts');
  const stores = openJoinStores();
  context.onClose(() => stores.close());
  return stores;
}

/** Opens files by names that are relative to the folder the command was typed in. */
export function openerOf({ io }: CommandContext): OpenFile {
  return (name) => openSourceFile(name, io.cwd);
}
