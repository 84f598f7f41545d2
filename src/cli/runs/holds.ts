import type { Facts } from '../../core/problem.ts';
import type { SourceLine } from '../push/ports/staging.ts';
import type { RunFile } from '../run-file/run-file.ts';
import type { RunsFolder } from '../run-file/runs-folder.ts';
import type { NextCommands } from './next-commands.ts';

/** A record that keeps other records of its account from being sent. */
export interface Hold {
  /** Whether the record may still be sent, so that the rest of its own resource waits, too. */
  readonly isOpen: boolean;
  /** The record, as the end of "a record of the notes …". */
  readonly state: string;
  /** The command that may bring the record to the platform. */
  readonly command: string;
  /** The line of the record, as the facts of another line; left out where it is not known. */
  readonly place?: Facts;
}

/** Where retries are, and the commands that a hold names. */
interface HoldPorts {
  readonly folder: RunsFolder;
  readonly commands: NextCommands;
}

/**
 * The accounts of a run that are held by records which retries took over, by their numbers in the run. The last retry of a
 * record decides: the hold lasts until the platform has the record. A retry that is missing or cannot be opened holds its
 * accounts, too.
 */
export function holdsOfRetries(run: RunFile, ports: HoldPorts): ReadonlyMap<number, Hold> {
  const holds = new Map<number, Hold>();
  for (const retry of run.retrying.takers())
    for (const [account, hold] of holdsOf(retry, run, ports))
      holds.set(account, stronger(holds.get(account), hold)!);
  return holds;
}

/** The accounts of a run that one of its retries holds. */
function holdsOf(id: string, run: RunFile, ports: HoldPorts): readonly (readonly [number, Hold])[] {
  const { folder, commands } = ports;
  const accounts = run.retrying.accountsGivenTo(id);
  const all = (hold: Hold) => accounts.map((account) => [account.id, hold] as const);
  const command = commands.retry(run.header);
  for (const found of folder.list({ ids: new Set([id]), takesUp: true })) {
    if (found.state === 'never_staged') break;
    if (!found.header) {
      const state = `is in the retry ${id}, which cannot be opened`;
      return all({ isOpen: true, state, command: commands.show({ id }) });
    }
    const { run: retry } = found;
    const later = holdsOfRetries(retry, ports);
    const state = `was given to the retry ${id}, which does not have it`;
    return accounts.flatMap((account) => {
      const number = retry.cohort.numberOf(account);
      const hold =
        number === undefined
          ? { isOpen: false, state, command }
          : stronger(holdIn(retry, number, commands), later.get(number));
      return hold ? [[account.id, hold] as const] : [];
    });
  }
  return all({ isOpen: true, state: `was given to the retry ${id}, which is missing`, command });
}

/** An account whose records several retries have waits for each of them. */
function stronger(a: Hold | undefined, b: Hold | undefined): Hold | undefined {
  return [a, b].find((hold) => hold?.isOpen) ?? a ?? b;
}

/** The hold by a record that a retry has and that the platform does not have. */
function holdIn(retry: RunFile, account: number, commands: NextCommands): Hold | undefined {
  const { header, isOpen, cohort } = retry;
  const { id } = header;
  const command = isOpen ? commands.resumeById(header) : commands.retry(header);
  const hold = (line: SourceLine, state: string): Hold => ({
    isOpen,
    state,
    command,
    place: placeOf(retry, line),
  });
  const refused = cohort.firstOf(account, 'rejected');
  if (refused)
    return hold(refused, `was refused again by the retry ${id}${isOpen ? ', which is not finished' : ''}`);
  const unknown = cohort.firstOf(account, 'unknown');
  if (unknown) return hold(unknown, `was sent by the retry ${id}, and no answer says whether it was applied`);
  const unsent = cohort.firstOf(account, 'not_sent');
  return unsent && hold(unsent, `is in the retry ${id}, which has not sent it`);
}

/**
 * The hold by a record of a run that no retry took over. `isFinished`: whether the command came to its end. A record without an
 * answer gets one when a command that ended early is continued.
 */
export function ownHold(
  run: RunFile,
  account: number,
  { isFinished, commands }: { readonly isFinished: boolean; readonly commands: NextCommands },
): Hold | undefined {
  const { header, cohort } = run;
  const refused = cohort.firstOf(account, 'rejected');
  if (refused)
    return {
      isOpen: false,
      state: 'was refused',
      command: commands.retry(header),
      place: placeOf(run, refused),
    };
  const unknown = isFinished ? cohort.firstOf(account, 'unknown') : undefined;
  if (!unknown) return undefined;
  const state = 'was sent, and no answer says whether it was applied';
  return { isOpen: true, state, command: commands.resume(header), place: placeOf(run, unknown) };
}

function placeOf({ header }: RunFile, { source, line }: SourceLine): Facts {
  return { other_file: header.sources[source - 1]!.name, other_line: line };
}
