import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { AppError } from '../../core/app-error.ts';
import type { Descriptors, Resource } from '../../core/contract/resources.ts';
import type { OnClose } from '../command-ports.ts';
import { readSource } from '../csv/read-source.ts';
import { openSourceFile, type OpenFile, type SourceFile } from '../csv/source-file.ts';
import type { ElementPaths, ReadItem } from '../csv/source-row.ts';
import { loadJoins, type JoinedFiles } from '../mapping/compile/joined-files.ts';
import { planByHeader } from '../mapping/compile/plan-by-header.ts';
import { overAllSources, planByMapping } from '../mapping/compile/plan-by-mapping.ts';
import { needMapping } from '../mapping/file/load-mapping.ts';
import type { JoinStore } from '../mapping/joined-rows.ts';
import type { Mapping, UsedFile } from '../mapping/language/mapping.ts';
import type { PlanResult } from '../mapping/mapping-plan.ts';
import type { JoinStores } from '../run-file/join-store.ts';

/** A source that is read in its format and mapped by its mapping, if it has one. */
export interface MappedSource {
  readonly name: string;
  /** The mapping file; null when the headers are the contract's own. */
  readonly mappedBy: { readonly name: string; readonly hasTrailer: boolean } | null;
  readonly items: AsyncIterable<readonly ReadItem[]>;
  readonly share: () => number;
  /** Ties the mapping to the header. */
  readonly mapping: (header: readonly string[], elements?: ElementPaths) => PlanResult;
  /** Mapping files, lookup tables and joined files that the records are made with. */
  readonly usedFiles: readonly UsedFile[];
}

/** How files are mapped. */
export interface MappingChoice {
  readonly resource: Resource;
  /** File of --map, for all sources. */
  readonly map?: string | undefined;
  readonly supplier: string | undefined;
  /** Under the contract of the operator; those of the interface when left out. */
  readonly descriptors?: Descriptors | undefined;
  /** Whether problems may repeat values of cells. */
  readonly showValues?: boolean;
  /** Threads that read and check the files. */
  readonly threads?: number;
  /** False when the files have no control record although the mapping describes one. */
  readonly trailer?: boolean;
}

interface MappingPorts {
  /** The folder in which the command was typed. */
  readonly cwd: string;
  readonly onClose: OnClose;
}

/**
 * Maps each source by the file of --map, else by the mapping file beside it, else by its headers, which are the contract's
 * own then.
 * @throws AppError `mapping_invalid`, `mapping_resource_differs`, `file_not_readable`
 */
export async function mappedSources(
  sources: readonly SourceFile[],
  choice: MappingChoice,
  ports: MappingPorts,
): Promise<readonly MappedSource[]> {
  const bySource = sources.map((source) => choice.map ?? mappingBeside(source.name, ports.cwd));
  const byName = new Map<string, (source: SourceFile) => MappedSource>();
  for (const name of new Set(bySource.filter((found) => found !== undefined))) {
    const names = sources.filter((_, index) => bySource[index] === name).map((source) => source.name);
    byName.set(name, await mapper(name, names, choice, ports));
  }
  return sources.map((source, index) => {
    const name = bySource[index];
    return name === undefined ? mappedByHeader(source, choice) : byName.get(name)!(source);
  });
}

function mappingBeside(source: string, cwd: string): string | undefined {
  return namesBeside(source).find((name) => existsSync(resolve(cwd, name)));
}

/** Names of a mapping file beside a source, the first one that exists counts: `x.csv.map.yaml`, also for `x.csv.gz`. */
export function namesBeside(source: string): readonly string[] {
  return [source, source.replace(/\.gz$/i, '')].map((stem) => `${stem}.map.yaml`);
}

function mappedByHeader(
  source: SourceFile,
  { resource, supplier, descriptors, threads }: MappingChoice,
): MappedSource {
  return {
    name: source.name,
    mappedBy: null,
    items: readSource(source, undefined, threads),
    share: () => source.share(),
    mapping: (header, elements) =>
      planByHeader(resource, header, supplier, { descriptors, isKeyed: elements !== undefined }),
    usedFiles: [],
  };
}

/** Maps sources by one mapping file. */
async function mapper(
  name: string,
  sources: readonly string[],
  { resource, supplier, trailer = true, showValues = false, descriptors, threads }: MappingChoice,
  ports: MappingPorts,
): Promise<(source: SourceFile) => MappedSource> {
  const whole = await needMapping(name, openerIn(ports.cwd), descriptors);
  const mapping = trailer ? whole : withoutTrailer(whole);
  if (mapping.resource !== resource) {
    const facts = { mapping: name, expected: mapping.resource, given: resource };
    throw new AppError('mapping_resource_differs', facts);
  }
  const joins = await joinsOf(mapping, sources, ports);
  const usedFiles = [...mapping.files, ...joins.files];
  const overAll = overAllSources(mapping, sources.length);
  return (source) => ({
    name: source.name,
    mappedBy: { name, hasTrailer: mapping.format.totals.length > 0 || hasSum(mapping) },
    items: readSource(source, mapping.format, threads),
    share: () => source.share(),
    mapping: (header, elements) =>
      planByMapping(mapping, header, {
        supplier,
        joins: joins.tablesFor(source.name),
        overAll,
        showValues,
        elements,
      }),
    usedFiles,
  });
}

function hasSum({ document }: Mapping): boolean {
  return document.expect?.some((each) => each.sum !== undefined) ?? false;
}

/** The mapping for files without the totals that it describes, such as a rejects file. */
function withoutTrailer({ document, format, ...mapping }: Mapping): Mapping {
  const { trailer: _, subtotals: __, ...source } = document.source ?? {};
  const expect = document.expect?.filter((each) => each.sum === undefined);
  return {
    ...mapping,
    document: { ...document, source, ...(expect && { expect }) },
    format: { ...format, totals: [] },
  };
}

/** The second files that a mapping joins, in a private file of their own until the command ends. */
export async function joinsOf(
  mapping: Mapping,
  sources: readonly string[],
  { cwd, onClose }: MappingPorts,
): Promise<JoinedFiles> {
  let stores: Promise<JoinStores> | undefined;
  const makeStore = async (): Promise<JoinStore> => (await (stores ??= temporaryStores(onClose))).make();
  return loadJoins(mapping, sources, { open: openerIn(cwd), makeStore });
}

/** SQLite is loaded only where a mapping joins something. */
async function temporaryStores(onClose: OnClose): Promise<JoinStores> {
  const { openJoinStores } = await import('../run-file/join-store.ts');
  const stores = openJoinStores();
  onClose(() => stores.close());
  return stores;
}

/** Opens files by names relative to a folder. */
export function openerIn(cwd: string): OpenFile {
  return (name) => openSourceFile(name, cwd);
}
