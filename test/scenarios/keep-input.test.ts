import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { fakeIo, runCli } from '../support/cli-io.ts';
import { folderWith } from '../support/mapping-files.ts';

const CSV = 'Account,Id,Date,Amount\nA1,T1,2026-01-05,1.00\nA1,T2,2026-01-05,x\n';
const MAPPING = `version: 1
resource: transactions
fields:
  import_supplier: { constant: ACME }
  external_account_number: Account
  transaction_id: Id
  transaction_date: Date
  type: { constant: CHARGE }
  amount: Amount
`;

async function checkInput(argv: readonly string[], cwd = folderWith({ 'june.csv.map.yaml': MAPPING })) {
  const io = { ...fakeIo({ cwd, nowMs: Date.UTC(2026, 10, 21) }), stdin: Readable.from([Buffer.from(CSV)]) };
  const ran = await runCli(['check', 'transactions', ...argv], io);
  return { cwd, ...ran };
}

describe('standard input', () => {
  test('is kept on request, and read under the name of its file', async () => {
    const { cwd, stdout, stderr } = await checkInput(['-', '--keep-input', 'june.csv']);
    expect(readFileSync(join(cwd, 'june.csv'), 'utf8')).toBe(CSV);
    expect(statSync(join(cwd, 'june.csv')).mode & 0o777).toBe(0o600);
    expect(stdout + stderr).toContain('june.csv:3:4 error number_unreadable');
  });

  test('is kept for rejects that are written later from its file', async () => {
    const { cwd } = await checkInput(['-', '--keep-input', 'june.csv', '--rejects', 'r.csv']);
    expect(readFileSync(join(cwd, 'r.csv'), 'utf8')).toBe('Account,Id,Date,Amount\nA1,T2,2026-01-05,x\n');
  });

  test('never replaces a file', async () => {
    const cwd = folderWith({ 'june.csv': 'mine', 'june.csv.map.yaml': MAPPING });
    const { exitCode, stderr } = await checkInput(['-', '--keep-input', 'june.csv'], cwd);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('file_exists');
    expect(readFileSync(join(cwd, 'june.csv'), 'utf8')).toBe('mine');
  });

  test('leaves no half of a file when it breaks off', async () => {
    const cwd = folderWith({ 'june.csv.map.yaml': MAPPING });
    const stdin = new Readable({
      read() {
        this.push('Account');
        this.destroy(new Error('gone'));
      },
    });
    const argv = ['check', 'transactions', '-', '--keep-input', 'june.csv'];
    const { exitCode } = await runCli(argv, { ...fakeIo({ cwd }), stdin });
    expect(exitCode).toBe(2);
    expect(existsSync(join(cwd, 'june.csv'))).toBe(false);
  });

  test('is needed for --keep-input', async () => {
    const cwd = folderWith({ 'june.csv.map.yaml': MAPPING });
    writeFileSync(join(cwd, 'june.csv'), CSV);
    const { exitCode, stderr } = await checkInput(['june.csv', '--keep-input', 'july.csv'], cwd);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('--keep-input needs - among the files');
  });
});
