import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { fakeIo, runCli } from '../../support/cli-io.ts';

const HEADER = 'import_supplier,external_account_number,transaction_id,transaction_date,type,amount';
const row = (amount: string): string => `${HEADER}\nACME,1001,t-1,2026-02-01,CREDIT,${amount}\n`;

/** Checks `t.csv` and changes files while the command waits, one change after the other. Ends it after the last one. */
async function watched(
  files: Readonly<Record<string, string>>,
  changes: readonly ((cwd: string) => void)[],
  ...flags: readonly string[]
) {
  const io = fakeIo({ nowMs: Date.UTC(2026, 10, 21) });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(io.cwd, name), text);
  const left = [...changes];
  let shown = 0;
  let looks = 0;
  const sleep = async (): Promise<void> => {
    if (++looks > 50) throw new Error('a change was not noticed');
    const rounds = io.printed.stderr.split('Watching').length - 1;
    // Nothing changes while the file is looked at once more, so that it counts as saved.
    if (rounds === shown) return;
    shown = rounds;
    const change = left.shift();
    if (change) change(io.cwd);
    else io.raise('SIGINT');
  };
  const timing = { ...io.timing, sleep };
  const { exitCode, stdout, stderr } = await runCli(
    ['check', 'transactions', 't.csv', '--watch', '--no-progress', ...flags],
    { ...io, timing },
  );
  const verdicts = [...(stdout + stderr).matchAll(/rows? read: (.*)|error (\w+)/g)].map(
    ([, rows, code]) => rows ?? code,
  );
  return { exitCode, verdicts, stdout, stderr };
}

const save = (name: string, text: string) => (cwd: string) => writeFileSync(join(cwd, name), text);

describe('check --watch checks again', () => {
  test('when the file is saved, and ends with Ctrl-C', async () => {
    const { exitCode, stdout } = await watched({ 't.csv': row('x') }, [save('t.csv', row('1.00'))]);
    expect(exitCode).toBe(130);
    expect(stdout.match(/1 row read: .*/g)).toEqual(['1 row read: 1 invalid', '1 row read: 1 valid']);
  });

  test('when an editor replaces the file by another one of the same size', async () => {
    const { stdout } = await watched({ 't.csv': row('x.00') }, [
      (cwd) => {
        writeFileSync(join(cwd, '.t.csv.swp'), row('1.00'));
        rmSync(join(cwd, 't.csv'));
        renameSync(join(cwd, '.t.csv.swp'), join(cwd, 't.csv'));
      },
    ]);
    expect(stdout.match(/1 row read: .*/g)).toEqual(['1 row read: 1 invalid', '1 row read: 1 valid']);
  });

  const MAPPED = {
    't.csv': 'Account,Id,Kind,Day,Amount\n1001,t-1,C,2026-02-01,1.00\n',
    't.csv.map.yaml': `version: 1
resource: transactions
include: [common.yaml]
fields:
  import_supplier: { constant: ACME }
  external_account_number: Account
  transaction_id: Id
  transaction_date: Day
`,
    'common.yaml': `fields:
  amount: Amount
  type: { column: Kind, lookup: { file: kinds.csv, key: kind, value: type } }
`,
    'kinds.csv': 'kind,type\nC,CREDIT\n',
  };

  test.each([
    ['its mapping', 't.csv.map.yaml', MAPPED['t.csv.map.yaml'].replace('ACME', 'ACNE')],
    ['an included mapping', 'common.yaml', `# saved\n${MAPPED['common.yaml']}`],
    ['a lookup table', 'kinds.csv', 'kind,type\nC,PAYMENT\n'],
  ])('when %s is saved', async (_, name, text) => {
    const { stdout, stderr } = await watched(MAPPED, [save(name, text)]);
    expect(stderr).not.toContain('error');
    expect(stdout.match(/1 row read: .*/g)).toEqual(['1 row read: 1 valid', '1 row read: 1 valid']);
  });

  test('when a mapping that was wrong is saved, also an included one', async () => {
    const broken = { ...MAPPED, 'common.yaml': 'fields: [' };
    const { stdout, stderr } = await watched(broken, [save('common.yaml', MAPPED['common.yaml'])]);
    expect(stderr).toContain('common.yaml');
    expect(stdout.match(/1 row read: .*/g)).toEqual(['1 row read: 1 valid']);
  });

  test('when a mapping is made beside the file, and when a file that was not there is', async () => {
    const { 't.csv.map.yaml': mapping, 't.csv': file, ...others } = MAPPED;
    const { stdout, stderr } = await watched(others, [save('t.csv', file), save('t.csv.map.yaml', mapping)]);
    expect(stderr).toContain('file_not_readable');
    expect(stdout.match(/1 row read: .*/g)?.at(-1)).toBe('1 row read: 1 valid');
  });
});

test.each([
  [['-'], [], '--watch needs files'],
  [['t.csv'], ['--json'], 'it has no --json'],
  [['t.csv'], ['--rejects', 'r.csv'], 'do not go together'],
])('--watch with %j %j is a usage error', async (files, flags, reason) => {
  const { exitCode, stderr } = await runCli(
    ['check', 'transactions', ...files, '--watch', ...flags],
    fakeIo(),
  );
  expect(exitCode).toBe(2);
  expect(stderr).toContain(reason);
});
