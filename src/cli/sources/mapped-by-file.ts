import { AppError } from '../../core/app-error.ts';
import type { OnClose } from '../command/command-ports.ts';
import { readSource } from '../csv/read-source.ts';
import { endOfRejects } from '../csv/source-format.ts';
import { openSourceFile, type OpenFile, type SourceFile } from '../csv/source-file.ts';
import { loadJoins, type JoinedFiles } from '../mapping/compile/joined-files.ts';
import { planByMapping } from '../mapping/compile/plan-by-mapping.ts';
import { needMapping } from '../mapping/file/load-mapping.ts';
import { beside } from '../mapping/file/mapping-files.ts';
import type { JoinStore } from '../mapping/joined-rows.ts';
import type { Mapping } from '../mapping/language/mapping.ts';
import { querySpecOf, type QuerySpec } from '../mapping/language/source.ts';
import type { JoinStores } from '../scratch/join-store.ts';
import {
  supplierMissing,
  type MappedSource,
  type MappingChoice,
  type MappingPorts,
} from './mapping-choice.ts';

/** Maps sources by one mapping file. */
export async function mappedByFile(
  name: string,
  sources: readonly string[],
  { resource, supplier, descriptors }: MappingChoice,
  ports: MappingPorts,
): Promise<(source: SourceFile) => MappedSource> {
  const mapping = await needMapping(name, openerIn(ports.cwd), descriptors);
  if (mapping.resource !== resource) {
    throw new AppError('usage', {
      reason: `${name} is a mapping for ${mapping.resource}, and the command names ${resource}`,
      todo: `Type ${mapping.resource} in place of ${resource}, or give another mapping with --map.`,
    });
  }
  if (supplier === undefined && !('import_supplier' in mapping.document.fields))
    throw supplierMissing(`\`import_supplier\` in \`fields\` of ${name}`);
  const query = querySpecOf(mapping.document.source);
  if (query && sources.length > 1)
    throw new AppError('query_invalid', {
      reason: `${name} reads one file for its first table, so it does not take several files`,
      todo: 'Give one file, and correct rows in it.',
    });
  const joins = await joinsOf(mapping, sources.length, ports);
  const others = query ? await filesOf(query.tables.slice(1), mapping, ports) : [];
  const usedFiles = [
    ...mapping.files,
    ...joins.files,
    ...others.map(({ name: file, fingerprint }) => ({ name: file, fingerprint })),
  ];
  const { querySource } = query ? await loadQueries() : {};
  return (source) => {
    const planOf = (header: readonly string[], more: Partial<Parameters<typeof planByMapping>[2]>) =>
      planByMapping(mapping, header, {
        supplier,
        joins: joins.tables,
        ...more,
      });
    const plan: MappedSource['mapping'] = (header, elements) => planOf(header, { elements });
    return {
      name: source.name,
      mappedBy: { name },
      endOfRejects: endOfRejects(mapping.format),
      share: () => source.share(),
      usedFiles,
      ...(query && querySource
        ? querySource({ mapping, query, files: [source, ...others] }, (names, typed) =>
            planOf(names, { typed }),
          )
        : { items: readSource(source, mapping.format), mapping: plan }),
    };
  };
}

/** Opens the files of tables of a query. */
async function filesOf(
  tables: QuerySpec['tables'],
  mapping: Mapping,
  { cwd, onClose }: MappingPorts,
): Promise<readonly SourceFile[]> {
  const files: SourceFile[] = [];
  for (const [, { file: name }] of tables) {
    const file = await openSourceFile(beside(mapping.name, name), cwd);
    onClose(() => file.close());
    files.push(file);
  }
  return files;
}

/** The path of the first table of the query of a mapping; undefined without a query. */
export async function firstTable(name: string, cwd: string): Promise<string | undefined> {
  const mapping = await needMapping(name, openerIn(cwd));
  const [table] = querySpecOf(mapping.document.source)?.tables ?? [];
  return table && beside(name, table[1].file);
}

/** The second files that a mapping joins, in a private file of their own until the command ends. */
async function joinsOf(
  mapping: Mapping,
  sources: number,
  { cwd, onClose }: MappingPorts,
): Promise<JoinedFiles> {
  let stores: Promise<JoinStores> | undefined;
  const makeStore = async (): Promise<JoinStore> => (await (stores ??= temporaryStores(onClose))).make();
  return loadJoins(mapping, sources, { open: openerIn(cwd), makeStore });
}

/** SQLite is loaded only where a mapping joins something. */
async function temporaryStores(onClose: OnClose): Promise<JoinStores> {
  const { openJoinStores } = await import('../scratch/join-store.ts');
  const stores = openJoinStores();
  onClose(() => stores.close());
  return stores;
}

/** DuckDB is loaded only where a mapping has a query. An executable, and an installation without optional packages, come without it. */
async function loadQueries() {
  try {
    return await import('../query/query-source.ts');
  } catch (error) {
    const isMissing = String((error as NodeJS.ErrnoException).code).endsWith('NOT_FOUND');
    const reason = 'this installation has no DuckDB, which runs it';
    const todo = 'Use the npm package in place of the executable: README.md says how to install it.';
    throw isMissing ? new AppError('query_invalid', { reason, todo }, error) : error;
  }
}

/** Opens files by names relative to a folder. */
export const openerIn =
  (cwd: string): OpenFile =>
  (name) =>
    openSourceFile(name, cwd);
