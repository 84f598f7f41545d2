import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import Database from 'better-sqlite3';
import { execa } from 'execa';
import { describe, expect, onTestFinished, test } from 'vitest';
import { Journal } from '../../../../src/cli/journal/journal.ts';
import { scratchReading } from '../../../../src/cli/journal/reading.ts';
import { emptyJournal, headerOf, journalIn } from '../../../support/push-staged-run.ts';
import { projectRoot } from '../../../support/source-tree.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

/** Opens the journal in another process and returns the function that ends it. */
async function heldElsewhere(path: string): Promise<() => Promise<void>> {
  const module = pathToFileURL(join(projectRoot, 'src/cli/journal/journal.ts')).href;
  const script = `
    import { Journal } from ${JSON.stringify(module)};
    const journal = Journal.open(${JSON.stringify(path)});
    process.stdout.write('held');
    process.stdin.on('end', () => journal.close()).resume();`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  return async () => {
    const ended = once(child, 'exit');
    child.stdin.end();
    await ended;
  };
}

test('a second process is refused while the first has a journal open', async () => {
  const path = journalIn(emptyJournal());
  const release = await heldElsewhere(path);
  expect(() => Journal.open(path)).toThrow(
    expect.objectContaining({
      code: 'run_locked',
      facts: { reason: `${path} is in use by another process` },
    }) as Error,
  );
  await release();
  Journal.open(path).close();
});

test('no other process looks at a journal that a reading is compared with', () => {
  const path = journalIn(emptyJournal());
  const journal = Journal.open(path);
  const run = scratchReading(headerOf('notes'));
  const comparison = journal.comparedWith(run, { others: [], again: false });
  const look = (): unknown => {
    const other = new Database(path, { timeout: 0 });
    onTestFinished(() => void other.close());
    return other.prepare('SELECT count(*) FROM reading').get();
  };
  expect(look).toThrow(/database is locked/);
  comparison.detach();
  expect(look()).toEqual({ 'count(*)': 0 });
});

const MODULE = new URL('../../../../src/cli/journal/database/resource-lock.ts', import.meta.url).href;
const TURNS = 15;

const PROCESSES = ['a', 'b', 'c'];

/** A program that counts its turns in a file. All begin together; without the lock each reads before another writes. */
const counting = (folder: string, name: string, lock: 'held' | 'not held'): string => `
  import { existsSync, readFileSync, writeFileSync } from 'node:fs';
  import { takeLock } from '${MODULE}';
  const pause = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 4);
  const meet = (point) => {
    writeFileSync('${folder}/' + point + '-${name}', '');
    while (!${JSON.stringify(PROCESSES)}.every((other) => existsSync('${folder}/' + point + '-' + other))) pause();
  };
  const count = '${join(folder, 'count')}';
  const turn = () => {
    const before = BigInt(readFileSync(count, 'utf8'));
    ${lock === 'held' ? 'pause()' : "meet('read')"};
    writeFileSync(count, String(before + 1n));
  };
  meet('begin');
  for (let left = ${TURNS}; left > 0; left--)
    if (${lock === 'held'}) {
      const held = takeLock('${join(folder, 'begin.lock')}', 30_000, () => new Error('taken'));
      turn();
      held.close();
    } else turn();`;

async function counted(lock: 'held' | 'not held'): Promise<string> {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'count'), '0');
  await Promise.all(
    PROCESSES.map((name) =>
      execa(process.execPath, ['--input-type=module', '--eval', counting(folder, name, lock)]),
    ),
  );
  return readFileSync(join(folder, 'count'), 'utf8');
}

describe('work under the lock of a folder', () => {
  test('is done by three processes one after another', async () => {
    expect(await counted('held')).toBe(String(PROCESSES.length * TURNS));
  });
});
