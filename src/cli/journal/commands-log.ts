import { randomBytes } from 'node:crypto';
import { closeSync, constants, lstatSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { fileReason } from '../../core/file-reason.ts';
import { observer } from '../../core/observer.ts';
import { isJsonObject, plainJson, type JsonObject } from '../../core/values/plain-json.ts';
import { makePrivateFolder } from '../../files/private-folder.ts';

// The commands that were typed in a folder, in lines of JSON: one when a command begins, one when it knows what it reads, one when it ends.
// The list helps people, and no record is sent or left out because of it. A line that cannot be read is skipped.

/** A reading of a command. `journal`: the name of its journal (journals-folder.ts). */
const READING = z.object({ journal: z.string(), reading: z.string() });

/** How a command ended: the name of its exit, and the code of what ended it early. */
const ENDED = z.object({ at: z.string(), exit: z.string(), reason: z.nullable(z.string()) });

/** A command as its lines have it: later ones replace what earlier ones say. */
const COMMAND = z.object({
  /** Tells commands of one second apart. */
  key: z.string(),
  /** `20261121-101502-push-transactions`. */
  stem: z.string(),
  words: z.array(z.string()),
  user: z.nullable(z.string()),
  begun: z.string(),
  host: z.string(),
  pid: z.number(),
  /** The folder in which it was typed. */
  cwd: z.string(),
  /** Base URL, as far as the settings have one. */
  target: z.nullable(z.string()),
  /** Whether it reads standard input, which nobody can read again. */
  readsInput: z.boolean(),
  readings: z.array(READING),
  ended: z.nullable(ENDED),
});

/** A command that may send records, when it begins. `name`: the command and what it sends, such as `push-transactions`, `migrate`. */
export type NewCommand = Readonly<
  Pick<z.infer<typeof COMMAND>, 'user' | 'begun' | 'pid' | 'cwd' | 'target' | 'readsInput'>
> & { readonly name: string; readonly words: readonly string[] };

export type BegunCommand = ReturnType<typeof beginCommand>;

/** A command as the list has it. */
export type ListedCommand = Readonly<z.infer<typeof COMMAND>> & {
  /** Its stem. Later commands of one second have a number, too. */
  readonly id: string;
  /** `died`: its process is gone, and nothing says how it ended. */
  readonly state: 'running' | 'ended' | 'died';
};

/** A process that asks about others. */
export type AskingProcess = Readonly<{ pid: number; isRunning(pid: number): boolean }>;

export const commandsFile = (folder: string): string => join(folder, 'commands.ndjson');

/** Adds a command to the list of a folder. `failed`: hears why the list could not be written, once. The command goes on. */
export function beginCommand(
  folder: string,
  { name, ...command }: NewCommand,
  failed: (reason: string) => void,
) {
  const key = randomBytes(6).toString('hex');
  const stem = `${command.begun.slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-')}-${name}`;
  const readings: z.infer<typeof READING>[] = [];
  const add = observer(
    (line: object) => append(folder, { ...line, key }),
    (error) => failed(fileReason(error)),
  );
  add({ stem, ...command, host: hostname(), readings, ended: null });
  return {
    /** Adds a reading that it makes or goes on with, as soon as it is known. */
    reads(reading: z.infer<typeof READING>) {
      readings.push(reading);
      add({ readings });
    },
    end: (ended: z.infer<typeof ENDED>) => add({ ended }),
  };
}

/** The commands of a folder. The one that was typed last comes first, whatever the clocks said. */
export function commandsIn(folder: string, asking: AskingProcess): readonly ListedCommand[] {
  const written = new Map<unknown, JsonObject>();
  for (const line of linesOf(commandsFile(folder)))
    written.set(line['key'], { ...written.get(line['key']), ...line });
  const known = new Map<string, number>();
  const listed = [...written.values()].flatMap((value): readonly ListedCommand[] => {
    const { success, data } = COMMAND.safeParse(value);
    if (!success) return [];
    const { stem, host, pid, ended } = data;
    // The order of their lines tells them apart, in every process alike.
    const number = (known.get(stem) ?? 0) + 1;
    known.set(stem, number);
    // A process may have the number of one that has died.
    const isRunning = host === hostname() && pid !== asking.pid && asking.isRunning(pid);
    const state = ended ? 'ended' : isRunning ? 'running' : 'died';
    return [{ ...data, id: number === 1 ? stem : `${stem}-${number}`, state }];
  });
  return listed.toReversed();
}

/** Reads the JSON objects in the lines of a file. A file that cannot be read has none, and neither has a link or a pipe. */
function linesOf(file: string): readonly JsonObject[] {
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
  constants.O_WRONLY |
  constants.O_APPEND |
  constants.O_CREAT |
  (constants.O_NOFOLLOW ?? 0) |
  (constants.O_NONBLOCK ?? 0);

/** Adds a line. It begins with a line break, because a process that found the disk full may have left the beginning of another line. */
function append(folder: string, line: object): void {
  makePrivateFolder(folder);
  const handle = openSync(commandsFile(folder), FLAGS, 0o600);
  try {
    // One write, so that the lines of several processes do not mix.
    writeFileSync(handle, `\n${JSON.stringify(line)}\n`);
  } finally {
    closeSync(handle);
  }
}
