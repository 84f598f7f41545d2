import { spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { COMMAND, compiledCode } from '../../support/built-cli.ts';
import { choiceWith, headerOf } from '../../support/push-staged-run.ts';
import { projectRoot } from '../../support/source-tree.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** Linux lists the open files of a process here, also those that were deleted. */
const LISTS_OPEN_FILES = existsSync('/proc/self/fd');

/** The deleted files in a folder that a process still has open. */
function namelessFiles(
  pid: number,
  folder: string,
): readonly { readonly bytes: number; readonly mode: number }[] {
  const open = `/proc/${pid}/fd`;
  return readdirSync(open).flatMap((number) => {
    try {
      const path = join(open, number);
      const name = readlinkSync(path);
      if (!name.startsWith(`${folder}/`) || !name.endsWith(' (deleted)')) return [];
      const { size, mode } = statSync(path);
      return [{ bytes: size, mode: mode & 0o777 }];
    } catch {
      // It was closed after the listing.
      return [];
    }
  });
}

/** Every file below a folder. */
function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

/** Starts Node with its own folder for temporary files. */
function started(args: readonly string[]) {
  const cwd = temporaryFolder();
  const temporary = join(cwd, 'tmp');
  mkdirSync(temporary);
  const env = { PATH: process.env['PATH'], HOME: cwd, TMPDIR: temporary, ...compiledCode() };
  const child = spawn(process.execPath, args, { cwd, env, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise<NodeJS.Signals | null>((resolve) =>
    child.once('exit', (_code, signal) => resolve(signal)),
  );
  onTestFinished(() => void child.kill('SIGKILL'));
  const kill = (): Promise<NodeJS.Signals | null> => {
    child.kill('SIGKILL');
    return ended;
  };
  return { child, temporary, kill };
}

/** Starts a process that opens a store, writes 20 MB of customer data into it, prints `ready` and waits. */
function holding(opened: string) {
  const url = (file: string): string =>
    JSON.stringify(pathToFileURL(join(projectRoot, 'src/cli/journal', file)));
  return started([
    '--input-type=module',
    '-e',
    `const { scratchReading } = await import(${url('reading.ts')});
     const { Journal } = await import(${url('journal.ts')});
     const { openJoinStores } = await import(${url('../scratch/join-store.ts')});
     const header = ${JSON.stringify(headerOf('notes', {}, [{ bytes: 1, sha256: '0'.repeat(64) }]))};
     const text = 'rang about the meter '.repeat(500);
     const position = { source: 1, firstLine: 2, lastLine: 2, byteStart: 0, byteEnd: 1 };
     const account = { import_supplier: 'ACME', external_account_number: '1' };
     const fill = (run) => {
       const staging = run.staging();
       for (let n = 0; n < 2_000; n++)
         staging.appendRecord({ position, parts: [], account, texts: () => ({ payload: text + n, valueText: text + n }), id: null, type: null,
           amount: null, identity: { key: String(n), variant: undefined } });
       staging.commit();
     };
     const join = (stores) => {
       const store = stores.make();
       for (let n = 0; n < 2_000; n++) store.add(String(n % 7), { line: n, cells: [text + n] });
       store.take('none');
     };
     ${opened};
     process.stdout.write('ready');
     setInterval(() => undefined, 1_000_000);`,
  ]);
}

const ready = (child: ReturnType<typeof started>['child']): Promise<unknown> =>
  new Promise((resolve, reject) => {
    child.stdout!.once('data', resolve);
    child.once('exit', (code) => reject(new Error(`it ended with ${code}`)));
  });

describe('a process that is killed leaves nothing of', () => {
  test('a run of check and the rows of joined files', async () => {
    const { child, temporary, kill } = holding('fill(scratchReading(header)); join(openJoinStores())');
    await ready(child);
    if (LISTS_OPEN_FILES) {
      const open = namelessFiles(child.pid!, temporary);
      expect(open.every(({ mode }) => mode === 0o600)).toBe(true);
      expect(open.filter(({ bytes }) => bytes > 1_000_000).length).toBeGreaterThanOrEqual(2);
    }
    expect(readdirSync(temporary)).toEqual([]);
    expect(await kill()).toBe('SIGKILL');
    expect(readdirSync(temporary)).toEqual([]);
  });

  test('its data, but a journal with a name would keep it', async () => {
    const { child, temporary, kill } = holding(
      `const scope = { ...header, supplier: 'ACME', shard: null };
       fill(Journal.begin(process.env.TMPDIR + '/dataimport-check-x/check.sqlite', scope, header, ${JSON.stringify(choiceWith())}))`,
    );
    await ready(child);
    await kill();
    const left = filesBelow(temporary);
    expect(left).not.toEqual([]);
    expect(left.some((file) => readFileSync(file).includes('rang about the meter'))).toBe(true);
  });
});

describe.runIf(LISTS_OPEN_FILES)('a check that is killed while it reads its source', () => {
  test('leaves no file behind', async () => {
    const folder = temporaryFolder();
    const file = join(folder, 'notes.csv');
    // The first two notes are the same, so the file is read again and its records are kept.
    const rows = Array.from(
      { length: 5_000 },
      (_, n) => `ACME,1001,${'rang about the meter '.repeat(50)}${Math.max(n, 1)}\n`,
    );
    writeFileSync(file, `import_supplier,external_account_number,body\n${rows.join('')}`);
    const { child, temporary, kill } = started([COMMAND, 'check', 'notes', file]);
    while (!namelessFiles(child.pid!, temporary).some(({ bytes }) => bytes > 1_000_000)) {
      expect(child.exitCode).toBeNull();
      await pause(1);
    }
    expect(await kill()).toBe('SIGKILL');
    expect(readdirSync(temporary)).toEqual([]);
  });
});
