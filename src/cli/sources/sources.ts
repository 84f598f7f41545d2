import { createHash } from 'node:crypto';
import { access, constants } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { AppError } from '../../core/app-error.ts';
import { dateInZone } from '../../core/values/instant.ts';
import type { CommandPorts, OnClose } from '../command/command-ports.ts';
import { MOST_OPEN_FILES, openSourceFile, type SourceFile } from '../csv/source-file.ts';
import type { SourceFlags } from '../command/flags.ts';
import { membership, type StageJob } from '../push/stage-job.ts';
import type { RunSource } from '../journal/database/run-header.ts';
import type { Settings } from '../settings/settings.ts';
import { runContractOf, type AppliedContract } from './applied-contract.ts';
import { mappedSources } from './mapped-source.ts';
import { shardOf } from './shard.ts';
import { streamOf } from '../command/typed-file.ts';
import { assertWrittenApart } from '../command/written-files.ts';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { DESCRIPTORS, type Resource } from '../../core/contract/resources.ts';
import { fileReason } from '../../core/file-reason.ts';
import { pathOfListingLine } from '../push/stage/listing-line.ts';
import type { DocumentListing } from '../push/ports/documents.ts';

/** The open files of a run, mapped and ready to be staged. */
export type RunSources = Awaited<ReturnType<typeof openSources>>;

/** An open source, and the mapping that it is read with. */
export type RunSourceFile = RunSources['files'][number];

/** Before a command waits for a platform. @throws AppError `file_not_readable` */
export async function assertFilesThere(
  { file, map, documents }: Pick<SourceFlags, 'file' | 'map' | 'documents'>,
  cwd: string,
): Promise<void> {
  for (const name of [...file, map, documents].filter((each) => each !== undefined && each !== '-'))
    await access(resolve(cwd, name!), constants.R_OK).catch((error: unknown) => {
      throw new AppError('file_not_readable', { file: name!, reason: fileReason(error) }, error);
    });
}

/** The flags with the files of a command. Without one that is the file of the first table of the query of --map. */
export async function withFiles<F extends SourceFlags>(flags: F, cwd: string): Promise<F> {
  if (flags.file.length > 0) return flags;
  const { firstTable } = await import('./mapped-by-file.ts');
  const file = flags.map === undefined ? undefined : await firstTable(flags.map, cwd);
  if (file === undefined)
    throw new AppError('usage', {
      reason: 'the command names no file, and no mapping with `source.tables`',
      todo: 'Name a file, or give --map with a mapping that has a query.',
    });
  return { ...flags, file: [file] };
}

/**
 * Opens and maps the files that a command line names. They are closed when the command ends.
 * @param contract the contract that the records are checked under; the interface alone without one
 */
export async function openSources(
  flags: SourceFlags,
  settings: Settings,
  { io, onClose }: Pick<CommandPorts, 'io' | 'onClose'>,
  contract: AppliedContract | undefined,
) {
  const shard = shardOf(flags.shard, io.env);
  const files = await openFiles(flags.file, { io, onClose });
  const descriptors = contract?.descriptors;
  const choice = { ...flags, supplier: settings.get('supplier'), descriptors };
  const map = () => mappedSources(files, choice, { cwd: io.cwd, onClose });
  const mapped = await map();
  // Sources that share a mapping share its files.
  const inputs = new Map(mapped.flatMap(({ usedFiles }) => usedFiles.map((file) => [file.name, file])));
  assertWrittenApart({ ...flags, inputs: [...inputs.keys()] }, io);
  const listing =
    flags.documents === undefined
      ? undefined
      : await documentListing(flags.documents, flags.resource, { cwd: io.cwd, onClose });
  const job: StageJob = {
    resource: flags.resource,
    sources: mapped,
    check: {
      today: dateInZone(io.timing.nowMs(), settings.need('timeZone')),
      ...(descriptors && { descriptors }),
    },
    documents: listing,
    earliestDate: settings.need('earliestDate'),
    maxRecords: flags.maxRecords ?? Infinity,
    inShard: shard === undefined ? null : membership(shard),
  };
  return {
    files: files.map((file, index) => {
      const { mappedBy, endOfRejects } = mapped[index]!;
      return { file, mappedBy, endOfRejects };
    }),
    /** Mapping files, lookup tables and joined files: they decide what is sent, beside the sources. */
    inputs: [...inputs.values()].map(({ name, fingerprint }): RunSource => ({ name, ...fingerprint })),
    /** Hash of the content of all files. */
    contentSha256: contentHash(files),
    /** Hash of the listing of documents; null without one. */
    documentsSha256: listing?.sha256 ?? null,
    /** The accounts that belong to this process; undefined for all. */
    shard,
    /** The contract that the records were checked under; null for the interface alone. */
    contract: contract ? runContractOf(contract, flags.resource) : null,
    job,
    /** The same job from the beginning, for a second reading of the files. */
    jobAgain: async (): Promise<StageJob> => ({ ...job, sources: await map() }),
  };
}

/** @throws AppError `usage` for standard input that is named twice */
async function openFiles(
  names: readonly string[],
  { io: { stdin, cwd }, onClose }: Pick<CommandPorts, 'io' | 'onClose'>,
): Promise<readonly SourceFile[]> {
  if (names.filter((name) => name === '-').length > 1)
    throw new AppError('usage', { reason: 'standard input (-) can be read once only', command: 'push' });
  const files: SourceFile[] = [];
  for (const name of names) {
    const file = await openSourceFile(name, cwd, {
      standardInput: { stream: stdin, spoolFolder: tmpdir() },
      isOneOfMany: names.length > MOST_OPEN_FILES,
    });
    onClose(() => file.close());
    files.push(file);
  }
  return files;
}

/** The hash of a single file is its own. */
function contentHash(files: readonly SourceFile[]): string {
  const hashes = files.map((file) => file.fingerprint.sha256);
  return hashes.length === 1 ? hashes[0]! : createHash('sha256').update(hashes.join()).digest('hex');
}

/**
 * Reads a listing of documents (`--documents`), line by line, onto the disk.
 * @throws AppError `file_not_readable`; `usage` for a resource without documents; `file_not_readable`
 */
async function documentListing(
  file: string,
  resource: Resource,
  { cwd, onClose }: { cwd: string; onClose: OnClose },
): Promise<DocumentListing & { sha256: string }> {
  if (!DESCRIPTORS[resource].documents)
    throw new AppError('usage', { reason: `--documents: ${resource} name no documents`, command: 'check' });
  const { openListingStore } = await import('../scratch/document-listing.ts');
  const store = openListingStore();
  onClose(() => store.close());
  const hash = createHash('sha256');
  try {
    for await (const line of linesOf(file, cwd)) {
      const path = pathOfListingLine(line);
      if (path === undefined) continue;
      store.add(path);
      hash.update(`${path}\n`);
    }
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError('file_not_readable', { file, reason: fileReason(error) }, error);
  }
  const listing = store.listing(file);
  if (listing.counts().listed === 0)
    throw new AppError('file_not_readable', {
      reason: 'it lists no document',
      todo: 'List the file store again: one path on each line, or one object of JSON.',
      file,
    });
  return { ...listing, sha256: hash.digest('hex') };
}

/** Most characters of a line of a listing, which names one document. */
const LONGEST_LINE = 65_536;

/** The lines of a text in UTF-8, packed with gzip or not. Only a part of the text is in memory. */
async function* linesOf(file: string, cwd: string): AsyncGenerator<string> {
  const bytes = streamOf(file, cwd);
  const input = file.endsWith('.gz') ? pipeline(bytes, createGunzip(), () => undefined) : bytes;
  let rest = '';
  for await (const chunk of input.setEncoding('utf8')) {
    const lines = (rest + (chunk as string)).split('\n');
    rest = lines.pop()!;
    if (rest.length > LONGEST_LINE) {
      const reason = `a line is longer than ${LONGEST_LINE} characters`;
      throw new AppError('file_not_readable', { file, reason });
    }
    yield* lines;
  }
  yield rest;
}
