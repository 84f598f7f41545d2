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
  /** A further reading that it makes or goes on with, as soon as it is known. */
  reads(reading: CommandReading): void;
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
  const readings: CommandReading[] = [];
  const add = observer(
    (line: object) => append(folder, { ...line, key }),
    (error) => failed(fileReason(error)),
  );
  const host = hostname();
  add({
    stem,
    begun: now,
    ...command,
    host,
    readings,
    user: user ?? null,
    target: target ?? null,
    ended: null,
  });
  return {
    id: readCommands(folder).find((listed) => listed.key === key)?.id ?? stem,
    reads(reading) {
      readings.push(reading);
      add({ readings });
    },
    end: ({ now: at, exit, reason }) => add({ ended: { at, exit, reason } }),
  };
}

/** The commands of a folder. The one that was typed last comes first, whatever the clocks said. */
export function commandsIn(folder: string, asking: AskingProcess): readonly ListedCommand[] {
  // A process may have the number of one that has died.
  const isRunning = (host: string, pid: number): boolean =>
    host === hostname() && pid !== asking.pid && asking.isRunning(pid);
  return readCommands(folder).map((command) => {
    const state = command.ended ? 'ended' : isRunning(command.host, command.pid) ? 'running' : 'died';
    return { ...command, state };
  });
}

/** A command as its lines have it: later ones replace what earlier ones say. Two commands of one second have the same stem. */
type WrittenCommand = Omit<ListedCommand, 'id' | 'state'> & { readonly key: string; readonly stem: string };

function readCommands(folder: string): readonly (WrittenCommand & { readonly id: string })[] {
  const commands = new Map<unknown, Line>();
  for (const line of linesOf(commandsFile(folder)))
    commands.set(line['key'], { ...commands.get(line['key']), ...line });
  const known = new Map<string, number>();
  const named = [...commands.values()].filter(isCommand).map((command) => {
    const { stem } = command;
    // The order of their lines tells them apart, in every process alike.
    const number = (known.get(stem) ?? 0) + 1;
    known.set(stem, number);
    return { ...command, id: number === 1 ? stem : `${stem}-${number}` };
  });
  return named.toReversed();
}

type Line = Readonly<Record<string, unknown>>;

function isCommand(line: Line): line is Line & WrittenCommand {
  const { key, stem, begun, host, cwd, words, user, target, pid, readsInput, readings, ended } = line;
  return (
    isTexts([key, stem, begun, host, cwd, user ?? '', target ?? '']) &&
    isTexts(words) &&
    typeof pid === 'number' &&
    typeof readsInput === 'boolean' &&
    Array.isArray(readings) &&
    readings.every((one) => isJsonObject(one) && isTexts([one['journal'], one['reading']])) &&
    (ended === null || (isJsonObject(ended) && isTexts([ended['at'], ended['exit'], ended['reason'] ?? ''])))
  );
}

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((text) => typeof text === 'string');

/** Reads the JSON objects in the lines of a file. A file that cannot be read has none, and neither has a link or a pipe. */
function linesOf(file: string): readonly Line[] {
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
