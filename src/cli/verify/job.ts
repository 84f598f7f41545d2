import type { CheckedFiles } from '../check/checked-files.ts';
import type { CommandContext } from '../command/command.ts';
import type { SourceFlags } from '../command/flags.ts';
import type { FoundReading } from '../journal/found-readings.ts';
import type { ChainHead } from '../push/ports/report.ts';
import type { RunDirFlag } from '../runs/run-folders.ts';
import type { Settings } from '../settings/settings.ts';
import type { Standings } from './standings.ts';

type RowFlags = Omit<SourceFlags, 'documents' | 'rejects'>;

/** The flags that say how files are verified, whatever files they are. */
export interface ComparingFlags extends RunDirFlag {
  /** Address of a local platform, or a file with the output of `admin ledger`. */
  readonly ledger?: string;
  readonly showValues?: boolean;
}

/** Files of one resource that are verified. `send`: the command that sends them. */
export interface Job {
  readonly options: RowFlags & ComparingFlags;
  readonly settings: Settings;
  readonly send: string;
}

/** Files that were read anew, with everything that is known of their rows. */
export interface VerifiedFiles extends Job {
  readonly checked: CheckedFiles;
  /** The readings of the resource to the platform, the newest first. */
  readonly here: readonly FoundReading[];
  /** Their journals, of which each chain holds. */
  readonly journals: readonly (ChainHead & { readonly file: string })[];
  /** How the rows stand by these; undefined without any. */
  readonly standing: Standings | undefined;
  readonly context: CommandContext;
}

/**
 * The readings of any of the files, the newest first: of their paths, or of their names, because the whole folder may have another path
 * now.
 */
export function ofSameFiles({ here, checked: { run } }: VerifiedFiles): readonly FoundReading[] {
  const by = (key: 'place' | 'name'): readonly FoundReading[] => {
    const known = new Set(run.header.sources.map((source) => source[key]));
    return here.filter(
      ({ isStaged, header }) =>
        isStaged && header.sources.some((source) => source[key] !== null && known.has(source[key])),
    );
  };
  const ofPlaces = by('place');
  return ofPlaces.length > 0 ? ofPlaces : by('name');
}
