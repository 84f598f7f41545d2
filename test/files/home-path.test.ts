import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { main } from '../../src/cli/main.ts';
import { homePath } from '../../src/files/home-path.ts';
import { fakeIo, runCli } from '../support/cli-io.ts';

const CSV =
  'import_supplier,external_account_number,transaction_id,transaction_date,type,amount\nACME,1001,T-1,2026-02-01,CHARGE,wrong\n';

test('a first ~ is the home folder, and any other one is a letter', () => {
  expect(homePath('~/x/y', '/home/ada')).toBe('/home/ada/x/y');
  expect(homePath('~', '/home/ada')).toBe('/home/ada');
  for (const path of ['./~/x', '~$x.csv', '~ada/x', 'a~/x', '/~/x', '', '-', ':memory:'])
    expect(homePath(path, '/home/ada')).toBe(path);
});

test('arguments, flags and variables have ~ for the home folder, where no shell expands it', async () => {
  const io = fakeIo({ env: { DATAIMPORT_JUNIT: '~/causes.xml' } });
  writeFileSync(join(io.homeDir, 't.csv'), CSV);
  const argv = ['check', 'transactions', '~/t.csv', '--log-file=~/log', '--rejects=~/rejects.csv'];
  const { exitCode } = await runCli(argv, io);
  expect(exitCode).toBe(3);
  expect(readFileSync(join(io.homeDir, 'rejects.csv'), 'utf8')).toBe(CSV);
  for (const name of ['log', 'causes.xml']) expect(existsSync(join(io.homeDir, name))).toBe(true);
  expect(existsSync(join(io.cwd, '~'))).toBe(false);
});

test('a user without a home folder is told so for a path in it, and can name every other one', async () => {
  const io = { ...fakeIo(), homeDir: undefined };
  writeFileSync(join(io.cwd, 't.csv'), CSV.replace('wrong', '1.25'));
  expect(await main(['check', 'transactions', '~/t.csv'], io)).toBe(2);
  expect(io.printed.stderr).toContain('~/t.csv is in a home folder, and this user has none');
  expect(await main(['check', 'transactions', 't.csv'], io)).toBe(0);
});
