import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { accountsFile } from '../../../src/cli/verify/accounts-file.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const MODULE = pathToFileURL(resolve('src/cli/verify/accounts-file.ts')).href;

/** Writes the totals of 100 accounts, and prints how that ended. */
const SCRIPT = `
  const { accountsFile } = await import(${JSON.stringify(MODULE)});
  const file = accountsFile('accounts.csv', { cwd: '.', onClose: () => undefined });
  const side = { count: 1, sum: '10.10', sha256: '0'.repeat(64) };
  const types = [{ type: 'CREDIT', source: side, found: side, other: { ...side, count: 0, sum: null } }];
  try {
    for (let number = 1000; number < 1100; number++)
      file.of('run')({ import_supplier: 'ACME', external_account_number: String(number), types });
    file.finish();
    console.log('written');
  } catch (error) {
    console.log(error.code);
  }`;

test.skipIf(process.platform === 'win32')('a file that the disk takes only a part of is reported', () => {
  const script = ['--input-type=module', '--eval', SCRIPT];
  // The disk takes the first 4 KiB of a file, and no more.
  const shell = ['-c', 'ulimit -f 8; exec "$@"', 'sh', process.execPath, ...script];
  const { stdout, stderr } = spawnSync('sh', shell, { cwd: temporaryFolder(), encoding: 'utf8' });
  expect({ stdout, stderr }).toEqual({ stdout: 'file_not_writable\n', stderr: expect.any(String) as string });
});

test('the file has a header and a line for each type of an account, and is written only with a name', () => {
  const side = { count: 1, sum: '10.10', sha256: '0'.repeat(64) };
  const types = [{ type: 'CREDIT', source: side, found: side, other: { ...side, count: 0, sum: null } }];
  const total = { import_supplier: 'ACME', external_account_number: '1001', types };
  const written = (name: string | undefined) => {
    const cwd = temporaryFolder();
    const file = accountsFile(name, { cwd, onClose: () => undefined });
    file.of('run')(total);
    file.of('ledger')(total);
    file.finish();
    return readdirSync(cwd).map((found) => readFileSync(join(cwd, found), 'utf8'));
  };
  const hash = '0'.repeat(64);
  const line = `ACME,1001,CREDIT,1,1,10.10,10.10,${hash},${hash},yes\n`;
  expect(written('accounts.csv')).toEqual([
    `compared_with,import_supplier,external_account_number,type,rows,there,read,there_sum,sha256,there_sha256,equal\nrun,${line}ledger,${line}`,
  ]);
  expect(written(undefined)).toEqual([]);
});
