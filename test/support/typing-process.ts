import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { PACKAGE } from './built-cli.ts';

/** A user by number. */
export interface ProcessUser {
  readonly uid: number;
  readonly gid: number;
}

/** A command line in a folder, with all variables that it gets. */
export interface TypedLine {
  readonly words: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** What a command wrote to its standard output and error, and how it ended. */
export interface TypedResult {
  readonly exit: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Stands at the end of the output of each command, and before its exit code. */
const MARK = '\u001e';

const isBuilt = existsSync(join(PACKAGE, 'dist', 'cli', 'main.js'));
const MAIN = pathToFileURL(
  join(PACKAGE, ...(isBuilt ? ['dist', 'cli', 'main.js'] : ['src', 'cli', 'main.ts'])),
);

/** Runs each command line that it gets, whatever the umask. */
const SCRIPT = `
  process.umask(0);
  process.on('message', async ({ words, cwd, env }) => {
    process.chdir(cwd);
    for (const name of Object.keys(process.env)) delete process.env[name];
    Object.assign(process.env, env);
    const { main } = await import(${JSON.stringify(MAIN)});
    const exit = await main(words);
    process.stderr.write(${JSON.stringify(MARK)});
    process.stdout.write(${JSON.stringify(MARK)} + exit + ${JSON.stringify(MARK)});
  });`;

/** One process of a user, with a umask of 000, that runs command lines in turn, because a start takes longer than most of them. */
export function typingProcess(user: ProcessUser) {
  const child = spawn(process.execPath, ['-e', SCRIPT], {
    ...user,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const ended = once(child, 'exit');
  const read = (stream: Readable) =>
    stream.setEncoding('utf8')[Symbol.asyncIterator]() as AsyncIterator<string>;
  const [out, err] = [read(child.stdout!), read(child.stderr!)];
  return {
    /** Types a line and waits for its end. @throws Error when the process has ended */
    async typed(line: TypedLine): Promise<TypedResult> {
      child.send(line);
      const [written, stderr] = await Promise.all([untilMark(out, 2), untilMark(err, 1)]);
      const [stdout, exit] = written.split(MARK) as [string, string];
      return { exit: Number(exit), stdout, stderr };
    },
    async end(): Promise<void> {
      child.kill();
      await ended;
    },
  };
}

async function untilMark(stream: AsyncIterator<string>, marks: number): Promise<string> {
  let text = '';
  while (text.split(MARK).length <= marks) {
    const part = await stream.next();
    if (part.done) throw new Error(`the process that types has ended: ${text}`);
    text += part.value;
  }
  return text.slice(0, -MARK.length);
}
