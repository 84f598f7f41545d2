import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { SHELLS } from '../../../src/cli/commands/completion.ts';
import { fakeIo, runCli } from '../../support/cli-io.ts';
import { migration } from '../../support/migration.ts';
import { GOOD, HEADER, SEED } from '../../support/refused-account.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** The values of the lines that a shell gets. */
async function offered(words: readonly string[], cwd = temporaryFolder(), shell = 'zsh') {
  const { stdout, exitCode } = await runCli(['completion', shell, '--', ...words], fakeIo({ cwd }));
  expect(exitCode).toBe(0);
  return stdout
    .split('\n')
    .slice(0, -1)
    .map((line) => line.split('\t')[0]);
}

test.each(SHELLS)('prints the script for %s, which asks the program', async (shell) => {
  const { stdout, exitCode, json } = await runCli(['completion', shell]);
  expect(exitCode).toBe(0);
  expect(stdout).toContain(`dataimport completion ${shell} `);
  expect((await runCli(['completion', shell, '--json'])).json()).toMatchObject({ shell, script: stdout });
  expect(json).toThrow();
});

test('an unknown shell is a usage error', async () => {
  const { exitCode, stderr } = await runCli(['completion', 'bahs']);
  expect(exitCode).toBe(2);
  expect(stderr).toContain('; did you mean bash?');
});

describe('completes', () => {
  test('commands and the commands of a family', async () => {
    expect(await offered(['ru'])).toEqual(['runs']);
    expect(await offered(['contract', ''])).toEqual(['import', 'show', 'diff']);
    expect(await offered(['help', 'contract', ''])).toEqual(['import', 'show', 'diff']);
    expect(await offered(['schema', 'co'])).toEqual(['cohort', 'contract']);
    expect(await offered([''])).toEqual(expect.arrayContaining(['push', 'completion', 'help']));
  });

  test('flags of the command and of the program, with their description', async () => {
    expect(await offered(['push', 'transactions', 't.csv', '--on-'])).toEqual([
      '--on-reject',
      '--on-existing',
    ]);
    expect(await offered(['runs', 'show', 'x', '--js'])).toEqual(['--json']);
    const { stdout } = await runCli(['completion', 'fish', '--', 'check', '--sup']);
    expect(stdout).toBe('--supplier\tcode of the import supplier\n');
  });

  test('values of flags, also behind an equals sign', async () => {
    expect(await offered(['push', '--on-reject', ''])).toEqual(['stop', 'skip']);
    expect(await offered(['push', '--on-reject=s'])).toEqual(['--on-reject=stop', '--on-reject=skip']);
    expect(await offered(['--json', 'push', '--on-reject', 'sk'])).toEqual(['skip']);
  });

  test('a flag that is given before does not count as an argument', async () => {
    expect(await offered(['push', '-j', '4', 'st'])).toEqual(['statements']);
    expect(await offered(['push', '--', 'st'])).toEqual(['statements']);
  });

  test('resources, and files after them', async () => {
    expect(await offered(['push', 'no'])).toEqual(['notes']);
    expect(await offered(['push', 'notes', 'n'])).toEqual([':files']);
    expect(await offered(['verify', 'p'])).toEqual(['payment-instructions', ':files']);
    for (const flag of ['--map', '--documents'])
      expect(await offered(['push', flag, ''])).toEqual([':files']);
  });

  test('codes', async () => {
    expect(await offered(['explain', 'account_not'])).toEqual([
      'account_not_found',
      'account_not_imported',
      'account_not_asked',
      'account_not_staged',
    ]);
  });

  test('ids of commands, the newest first', async () => {
    const site = await migration(SEED);
    site.csv('t.csv', HEADER, GOOD);
    for (let times = 0; times < 2; times++) await site.cli('push', 'transactions', 't.csv');
    const first = '20261121-000000-push-transactions';
    expect(await offered(['runs', 'show', ''], site.cwd)).toEqual([`${first}-2`, first]);
    expect(await offered(['runs', 'confirm', `${first}-`], site.cwd)).toEqual([`${first}-2`]);
    expect(await offered(['runs', 'trace', first, '--id', ''], site.cwd)).toEqual([]);
  });

  test('suppliers of the settings and of runs', async () => {
    const site = await migration(SEED);
    site.csv('t.csv', HEADER, GOOD);
    await site.cli('push', 'transactions', 't.csv');
    writeFileSync(join(site.cwd, 'dataimport.config.yaml'), 'supplier: OTHER\n');
    expect(await offered(['push', '--supplier', ''], site.cwd)).toEqual(['ACME', 'OTHER']);
  });
});

test('nothing is offered after a command that does not exist', async () => {
  expect(await offered(['no-such-command', ''])).toEqual([]);
});

test('bash sends the parts of --run=2026 apart, and gets the value alone', async () => {
  expect(await offered(['push', '--on-reject', '=', 'sk'], undefined, 'bash')).toEqual(['skip']);
  expect(await offered(['push', '--on-reject', '='], undefined, 'bash')).toEqual(['stop', 'skip']);
});

test('PowerShell sends the last word with a dot before it', async () => {
  expect(await offered(['push', '.no'], undefined, 'powershell')).toEqual(['notes']);
  expect(await offered(['push', '--on-reject', '.'], undefined, 'powershell')).toEqual(['stop', 'skip']);
});

test('--json has the candidates with their descriptions', async () => {
  const { json } = await runCli(['completion', 'bash', '--json', '--', 'contract', 's']);
  expect(json()).toMatchObject({
    candidates: [{ value: 'show', says: 'Show a contract: what it demands beyond the interface' }],
    files: false,
  });
});
