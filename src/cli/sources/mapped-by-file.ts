import { AppError } from '../../core/app-error.ts';
import type { OnClose } from '../command/command-ports.ts';
import { readSource } from '../csv/read-source.ts';
import { openSourceFile, type OpenFile, type SourceFile } from '../csv/source-file.ts';
import { loadJoins, type JoinedFiles } from '../mapping/compile/joined-files.ts';
import { overAllSources, planByMapping } from '../mapping/compile/plan-by-mapping.ts';
import { needMapping } from '../mapping/file/load-mapping.ts';
import type { JoinStore } from '../mapping/joined-rows.ts';
import type { Mapping } from '../mapping/language/mapping.ts';
import type { JoinStores } from '../run-file/scratch/join-store.ts';
import type { MappedSource, MappingChoice, MappingPorts } from './mapping-choice.ts';

/**
 * Maps sources by one mapping file.
 * @throws AppError `mapping_invalid`, `mapping_resource_differs`, `file_not_readable`
 */
export async function mappedByFile(
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
  const { openJoinStores } = await import('../run-file/scratch/join-store.ts');
  const stores = openJoinStores();
  onClose(() => stores.close());
  return stores;
}

/** Opens files by names relative to a folder. */
export const openerIn =
  (cwd: string): OpenFile =>
  (name) =>
    openSourceFile(name, cwd);
