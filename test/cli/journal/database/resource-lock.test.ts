import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { lockResource } from '../../../../src/cli/journal/database/resource-lock.ts';
import type { RunScope } from '../../../../src/cli/journal/database/run-header.ts';
import { projectRoot } from '../../../support/source-tree.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

type LockedScope = RunScope & { readonly supplier: string };

const NOTES: LockedScope = {
  resource: 'notes',
  target: 'https://platform.example',
  database: 'db-1',
  supplier: 'ACME',
};

const LOCKED = expect.objectContaining({
  code: 'resource_locked',
  facts: { resource: 'notes', target: 'https://platform.example' },
}) as Error;

/** A shard as it is typed, such as `2/4`; undefined without one. */
const shardOf = (text: string | undefined) => {
  if (text === undefined) return undefined;
  const [index, count] = text.split('/').map(Number) as [number, number];
  return { index, count };
};

describe('a resource of a target', () => {
  test('is kept for one command until it is given back', () => {
    const folder = temporaryFolder();
    const release = lockResource(folder, NOTES, undefined);
    expect(() => lockResource(folder, NOTES, undefined)).toThrow(LOCKED);
    release();
    lockResource(folder, NOTES, undefined)();
  });

  test('is kept for all addresses of one database', () => {
    const folder = temporaryFolder();
    const release = lockResource(folder, { ...NOTES, target: 'https://other.example' }, undefined);
    expect(() => lockResource(folder, NOTES, undefined)).toThrow(LOCKED);
    release();
  });

  test.each<readonly [string, LockedScope, LockedScope]>([
    ['another resource', NOTES, { ...NOTES, resource: 'transactions' }],
    [
      'another base URL of a platform that names no database',
      { ...NOTES, database: null },
      { ...NOTES, target: 'https://other.example', database: null },
    ],
    ['another database', NOTES, { ...NOTES, database: 'db-2' }],
    ['no known database', NOTES, { ...NOTES, database: null }],
  ])('is another one for %s', (_, one, other) => {
    const folder = temporaryFolder();
    const releases = [one, other].map((scope) => lockResource(folder, scope, undefined));
    for (const release of releases) release();
  });

  test('is another one in another folder', () => {
    for (const release of [1, 2].map(() => lockResource(temporaryFolder(), NOTES, undefined))) release();
  });

  test('is kept in a folder that is made for it, for its owner alone', () => {
    const folder = join(temporaryFolder(), 'runs');
    const release = lockResource(folder, NOTES, undefined);
    const files = readdirSync(folder).filter((name) => /^notes-.*lock$/.test(name));
    expect(files).toHaveLength(1);
    expect(statSync(join(folder, files[0]!)).mode & 0o777).toBe(0o600);
    release();
  });
});

describe('a shard of it', () => {
  test.each([
    ['1/2', '2/2', true],
    ['1/4', '4/4', true],
    ['1/2', '1/2', false],
    ['1/2', '2/4', false],
    ['1/4', '1/14', false],
    ['1/14', '4/4', false],
    ['2/2', undefined, false],
    [undefined, '1/2', false],
  ])('%s, with %s beside it: %s', (first, second, goesOn) => {
    const folder = temporaryFolder();
    const release = lockResource(folder, NOTES, shardOf(first));
    const beside = (): void => lockResource(folder, NOTES, shardOf(second))();
    if (goesOn) beside();
    else expect(beside).toThrow(LOCKED);
    release();
    beside();
  });

  test('that is refused keeps nothing from others', () => {
    const folder = temporaryFolder();
    const release = lockResource(folder, NOTES, shardOf('1/2'));
    expect(() => lockResource(folder, NOTES, shardOf('1/3'))).toThrow(LOCKED);
    expect(() => lockResource(folder, NOTES, undefined)).toThrow(LOCKED);
    lockResource(folder, NOTES, shardOf('2/2'))();
    release();
  });
});

test('a process that is killed gives everything back', async () => {
  const folder = temporaryFolder();
  const module = pathToFileURL(join(projectRoot, 'src/cli/journal/database/resource-lock.ts')).href;
  const script = `
    const { lockResource } = await import(${JSON.stringify(module)});
    // The lock goes with its last reference.
    globalThis.release = lockResource(${JSON.stringify(folder)}, ${JSON.stringify(NOTES)}, undefined);
    process.stdout.write('held');
    setInterval(() => undefined, 1_000_000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  expect(() => lockResource(folder, NOTES, undefined)).toThrow(LOCKED);
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
  lockResource(folder, NOTES, undefined)();
});
