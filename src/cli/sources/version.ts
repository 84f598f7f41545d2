import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Resource } from '../../core/contract/resources.ts';
import { preciseInstantOfClock } from '../../core/values/instant.ts';
import type { Io } from '../outside/io.ts';
import type { RequestOptions } from '../push/ports/run.ts';
import type { RunHeader, RunScope } from '../journal/database/run-header.ts';
import type { RunSources } from './sources.ts';

/** Flags that decide what is sent, beside the files. */
export interface VersionFlags extends RequestOptions {
  readonly resource: Resource;
  readonly maxRecords?: number;
}

/** Where a version is sent from, and to. */
interface VersionPlace {
  readonly scope: RunScope;
  /** The setting; records whose mapping names no supplier get it. */
  readonly supplier: string | undefined;
  /** The cohort that the files belong to. */
  readonly cohort?: string;
  readonly io: Pick<Io, 'timing' | 'version' | 'cwd'>;
}

/** The header of the run of a version, except its id. */
export type NewRunHeader = Omit<RunHeader, 'id'>;

export function headerOf(
  { resource, maxRecords, ...flags }: VersionFlags,
  sources: RunSources,
  { scope, supplier, io, cohort }: VersionPlace,
): NewRunHeader {
  const { files, inputs, contentSha256, shard, contract } = sources;
  const { checkPreviouslyAdded, forceAddToCurrentStatement } = flags;
  const selection = {
    ...(shard && { shard }),
    ...(maxRecords !== undefined && { maxRecords }),
    ...(supplier !== undefined && { supplier }),
  };
  const decisive = {
    resource,
    contentSha256,
    inputs: inputs.map(({ sha256 }) => sha256),
    documents: sources.documentsSha256,
    contract: contract?.sha256 ?? null,
    // An earlier date may make rows valid that were left out as invalid.
    earliestDate: sources.job.earliestDate,
    selection,
    checkPreviouslyAdded,
    forceAddToCurrentStatement,
  };
  return {
    ...scope,
    resource,
    version: createHash('sha256').update(JSON.stringify(decisive)).digest('hex'),
    options: {
      checkPreviouslyAdded,
      forceAddToCurrentStatement,
      ...(contract && { contract }),
      selection,
    },
    toolVersion: io.version(),
    createdAt: preciseInstantOfClock(io.timing.nowMs()),
    sources: files.map(({ file, mappedBy }) => ({
      name: file.name,
      ...file.fingerprint,
      mappedBy,
      place: placeOf(file.name, io.cwd),
    })),
    inputs,
    contentSha256,
    cohort: cohort ?? null,
  };
}

/** The id of a reading: time, resource, content and shard, so that a list is readable. `taken`: ids that others have. */
export function newId(
  { createdAt, resource, contentSha256, options }: NewRunHeader,
  taken: readonly string[] = [],
): string {
  const time = createdAt.replace(/[-:]/g, '').replace('T', '-').slice(0, 15);
  const { shard } = options.selection;
  const id = `${time}-${resource}-${contentSha256.slice(0, 4)}${shard ? `-${shard.index}of${shard.count}` : ''}`;
  for (let number = 1; ; number++) {
    const candidate = number === 1 ? id : `${id}-${number}`;
    if (!taken.includes(candidate)) return candidate;
  }
}

/** The real path of a file; null for standard input. */
export const placeOf = (name: string, cwd: string): string | null =>
  name === STANDARD_INPUT ? null : realPath(resolve(cwd, name));

/** A path without links. One that is gone has the path that it would have. */
export function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** Standard input under the name that problems have for it. */
const STANDARD_INPUT = '<stdin>';
