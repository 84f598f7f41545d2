import { randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  readSync,
  writeSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { fileReason } from '../../core/file-reason.ts';
import { observer } from '../../core/observer.ts';
import { isJsonObject, plainJson } from '../../core/values/plain-json.ts';
import { makePrivateFolder } from '../../files/private-folder.ts';

// The commands that were typed in a folder, in lines of JSON: one when a command begins, one when it knows what it reads, one when it ends.
// The list helps people, and no record is sent or left out because of it. A line that cannot be read is skipped.

/** A command that may send records, when it begins. */
export interface NewCommand {
  /** The command and what it sends: `push-transactions`, `migrate`. */
  readonly name: string;
  readonly words: readonly string[];
  readonly user: string | undefined;
  /** The instant at which it begins. */
  readonly now: string;
  readonly pid: number;
  /** The folder in which it was typed. */
  readonly cwd: string;
  /** Base URL, as far as the settings have one. */
  readonly target: string | undefined;
  /** Whether it reads standard input, which nobody can read again. */
  readonly readsInput: boolean;
}

/** A reading of a command. `journal`: the name of its journal (journals-folder.ts). */
export type CommandReading = Readonly<{ journal: string; reading: string }>;

/** How a command ended: the name of its exit, and the code of what ended it early. */
export type CommandEnding = Readonly<{ now: string; exit: string; reason: string | null }>;

/** A command that has begun. */
export interface BegunCommand {
  readonly id: string;
  /** Further readings that it makes or goes on with, as soon as they are known. */
  readings(list: readonly CommandReading[]): void;
  end(ending: CommandEnding): void;
}

/** A command as the list has it. */
export interface ListedCommand extends Omit<NewCommand, 'name' | 'user' | 'now' | 'target'> {
  /** `20261121-101502-push-transactions`. */
  readonly id: string;
  readonly user: string | null;
  readonly begun: string;
  readonly host: string;
  readonly target: string | null;
  readonly readings: readonly CommandReading[];
  /** `died`: its process is gone, and nothing says how it ended. */
  readonly state: 'running' | 'ended' | 'died';
  readonly ended: Readonly<{ at: string; exit: string; reason: string | null }> | null;
}

/** A process that asks about others. */
export type AskingProcess = Readonly<{ pid: number; isRunning(pid: number): boolean }>;

/** The file of the list. */
export const commandsFile = (folder: string): string => join(folder, 'commands.ndjson');

/** Adds a command to the list of a folder. `failed`: hears why the list could not be written, once. The command goes on. */
export function beginCommand(
  folder: string,
  { name, now, user, target, ...command }: NewCommand,
  failed: (reason: string) => void,
): BegunCommand {
  const key = randomBytes(6).toString('hex');
  const stem = `${now.slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-')}-${name}`;
  const add = observer(
    (line: object) => append(folder, { ...line, key }),
    (error) => failed(fileReason(error)),
  );
  add({
    begun: now,
    command: stem,
    ...command,
    user: user ?? null,
    target: target ?? null,
    host: hostname(),
  });
  return {
    id: readCommands(folder).find((listed) => listed.key === key)?.id ?? stem,
    readings: (list) => add({ readings: list }),
    end: ({ now: at, exit, reason }) => add({ ended: { at, exit, reason } }),
  };
}

/** The commands of a folder. The one that was typed last comes first, whatever the clocks said. */
export function commandsIn(folder: string, asking: AskingProcess): readonly ListedCommand[] {
  // A process may have the number of one that has died.
  const isRunning = (host: string, pid: number): boolean =>
    host === hostname() && pid !== asking.pid && asking.isRunning(pid);
  return readCommands(folder).map((read) => {
    const { key: _, ...command } = read;
    const state = command.ended ? 'ended' : isRunning(command.host, command.pid) ? 'running' : 'died';
    return { ...command, state };
  });
}

type ReadCommand = Omit<ListedCommand, 'state'> & { readonly key: string };

function readCommands(folder: string): readonly ReadCommand[] {
  const commands = new Map<string, ReadCommand>();
  const names = new Map<string, number>();
  for (const line of linesOf(commandsFile(folder))) {
    const { key, begun, command, words, pid, host, cwd, readsInput, readings, ended } = line;
    if (typeof key !== 'string') continue;
    const known = commands.get(key);
    if (known) {
      if (isReadings(readings)) commands.set(key, { ...known, readings: [...known.readings, ...readings] });
      if (isEnd(ended)) commands.set(key, { ...known, ended });
      continue;
    }
    const isCommand = [begun, command, host, cwd].every((text) => typeof text === 'string');
    if (!isCommand || typeof pid !== 'number' || !isTexts(words)) continue;
    // Two commands of one second have the same name. The order of their lines tells them apart, in every process alike.
    const number = (names.get(String(command)) ?? 0) + 1;
    names.set(String(command), number);
    commands.set(key, {
      key,
      id: number === 1 ? String(command) : `${String(command)}-${number}`,
      words,
      user: textOrNull(line['user']),
      begun: String(begun),
      pid,
      host: String(host),
      cwd: String(cwd),
      target: textOrNull(line['target']),
      readsInput: readsInput === true,
      readings: [],
      ended: null,
    });
  }
  return [...commands.values()].toReversed();
}

const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null);

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((text) => typeof text === 'string');

const isReadings = (value: unknown): value is readonly CommandReading[] =>
  Array.isArray(value) &&
  value.every((one) => isJsonObject(one) && isTexts([one['journal'], one['reading']]));

const isEnd = (value: unknown): value is NonNullable<ListedCommand['ended']> =>
  isJsonObject(value) &&
  isTexts([value['at'], value['exit']]) &&
  (value['reason'] === null || typeof value['reason'] === 'string');

/** The objects in the lines of a file; none of a file that cannot be read, or that is a link or a pipe. */
function linesOf(file: string): readonly Readonly<Record<string, unknown>>[] {
  try {
    if (!lstatSync(file).isFile()) return [];
    return readFileSync(file, 'utf8')
      .split('\n')
      .map((line) => plainJson(line))
      .filter((value) => isJsonObject(value));
  } catch {
    return [];
  }
}

/** A link is not followed, and a pipe is not waited for. */
const FLAGS =
  constants.O_RDWR |
  constants.O_APPEND |
  constants.O_CREAT |
  (constants.O_NOFOLLOW ?? 0) |
  (constants.O_NONBLOCK ?? 0);

/** Adds a line with one write, so that the lines of several processes do not mix. */
function append(folder: string, line: object): void {
  makePrivateFolder(folder);
  const handle = openSync(commandsFile(folder), FLAGS, 0o600);
  try {
    const { size } = fstatSync(handle);
    const last = Buffer.alloc(1);
    // A process that found the disk full may have left the beginning of a line.
    const isTorn = size > 0 && readSync(handle, last, 0, 1, size - 1) === 1 && last.toString() !== '\n';
    const bytes = Buffer.from(`${isTorn ? '\n' : ''}${JSON.stringify(line)}\n`);
    if (writeSync(handle, bytes) < bytes.length)
      throw Object.assign(new Error('the disk is full'), { code: 'ENOSPC' });
  } finally {
    closeSync(handle);
  }
}
