import { appendFileSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { beginCommand, commandsFile, commandsIn } from '../../../src/cli/journal/commands-log.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const PUSH = {
  name: 'push-transactions',
  words: ['push', 'transactions', 'a.csv'],
  user: 'ada',
  begun: '2026-11-21T10:15:02.345Z',
  pid: 77,
  cwd: '/data',
  target: 'https://platform.example',
  readsInput: false,
};

const begin = (folder: string, changes: Partial<typeof PUSH> = {}) => {
  const failures: string[] = [];
  const command = beginCommand(folder, { ...PUSH, ...changes }, (reason) => failures.push(reason));
  return { ...command, failures };
};

const asking = (...running: readonly number[]) => ({
  pid: 1,
  isRunning: (pid: number) => running.includes(pid),
});

describe('the list of commands', () => {
  it('has a command with its readings and its end', () => {
    const folder = join(temporaryFolder(), 'runs');
    const command = begin(folder);
    command.reads({ journal: 'a/ACME/transactions', reading: '20261121-101502-transactions-4f2a' });
    command.end({ at: '2026-11-21T10:16:00.000Z', exit: 'PARTIAL', reason: null });
    expect(commandsIn(folder, asking())).toMatchObject([
      {
        id: '20261121-101502-push-transactions',
        words: PUSH.words,
        user: 'ada',
        begun: PUSH.begun,
        target: PUSH.target,
        state: 'ended',
        ended: { at: '2026-11-21T10:16:00.000Z', exit: 'PARTIAL', reason: null },
        readings: [{ journal: 'a/ACME/transactions', reading: '20261121-101502-transactions-4f2a' }],
      },
    ]);
    expect(statSync(commandsFile(folder)).mode & 0o777).toBe(0o600);
  });

  it('says of a command without an end whether its process is running', () => {
    const folder = temporaryFolder();
    begin(folder, { pid: 77 });
    begin(folder, { pid: 78 });
    // Processes of containers often have the same number.
    begin(folder, { pid: 1 });
    expect(commandsIn(folder, asking(1, 77)).map(({ state }) => state)).toEqual(['died', 'died', 'running']);
  });

  it('is readable although a line is torn or foreign', () => {
    const folder = temporaryFolder();
    begin(folder);
    appendFileSync(
      commandsFile(folder),
      '[1]\nnull\n{"key":7}\n{"key":"x","begun":1}\n{"key":"abc","begun":"20',
    );
    begin(folder, { name: 'migrate' });
    expect(commandsIn(folder, asking()).map(({ id }) => id)).toEqual([
      '20261121-101502-migrate',
      '20261121-101502-push-transactions',
    ]);
  });

  it('does not stop a command when it cannot be written, and says so once', () => {
    const folder = temporaryFolder();
    mkdirSync(commandsFile(folder));
    const command = begin(folder);
    command.end({ at: PUSH.begun, exit: 'OK', reason: null });
    expect(command.failures).toEqual(['it is a folder']);
    expect(commandsIn(folder, asking())).toEqual([]);
  });

  it('does not follow a link', () => {
    const folder = temporaryFolder();
    const other = join(temporaryFolder(), 'other');
    writeFileSync(other, '');
    symlinkSync(other, commandsFile(folder));
    expect(begin(folder).failures).toHaveLength(1);
    expect(readFileSync(other, 'utf8')).toBe('');
  });
});
