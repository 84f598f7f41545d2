import { existsSync, readFileSync, readdirSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { rejectsTargets, writeRejects } from '../../../src/cli/rejects/rejects.ts';
import { openSourceFile } from '../../../src/cli/csv/source-file.ts';
import { RFC_4180, type SourceFormat } from '../../../src/cli/csv/source-format.ts';
import { fakeIo, runCli } from '../../support/cli-io.ts';
import { migration } from '../../support/migration.ts';
import { fileWith } from '../../support/push-rows.ts';
import { stagedRun } from '../../support/push-staged-run.ts';
import { SEED } from '../../support/refused-account.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const HEADER = 'import_supplier,external_account_number,transaction_id,transaction_date,type,amount,note';
const GOOD = (id: string) => `ACME,1001,${id},2026-02-01,CREDIT,1.00,fine`;
const BAD = (id: string) => `ACME,1001,${id},2026-02-01,CREDIT,x,bad`;

/** A folder with files, and `check` typed in it. */
function folderWith(files: Readonly<Record<string, string | Buffer>>) {
  const cwd = temporaryFolder();
  for (const [name, content] of Object.entries(files)) writeFileSync(join(cwd, name), content);
  return {
    cwd,
    read: (name: string) => readFileSync(join(cwd, name), 'utf8'),
    check: (...argv: readonly string[]) =>
      runCli(['check', 'transactions', ...argv], fakeIo({ cwd, nowMs: Date.UTC(2026, 10, 21) })),
  };
}

/** A file as a command leaves it that is killed while it writes: its name ends with the number of the file. */
function unfinished(cwd: string, name: string, content: string): string {
  const made = join(cwd, 'made');
  writeFileSync(made, content);
  const path = join(cwd, `${name}-new-${statSync(made, { bigint: true }).ino}`);
  renameSync(made, path);
  return path;
}

describe('the rejects of a check', () => {
  test('are the bytes of the rejected rows under the header', async () => {
    const lines = [
      HEADER,
      GOOD('1'),
      BAD('2'),
      '',
      GOOD('3'),
      `${BAD('4').slice(0, -3)}"two\r\nlines"`,
      BAD('5'),
    ];
    const site = folderWith({ 't.csv': `\uFEFF${lines.join('\r\n')}` });
    const { exitCode, stdout } = await site.check('t.csv', '--rejects', 'r.csv');
    expect(exitCode).toBe(3);
    expect(stdout).toContain('rejects: 3 rows in r.csv\n');
    expect(site.read('r.csv')).toBe(`\uFEFF${[lines[0], lines[2], lines[5], lines[6]].join('\r\n')}`);
  });

  test('are read with the same mapping, by the command that the note names', async () => {
    const site = folderWith({
      't.csv': 'K;B\n1;T1\n1;\n',
      't.csv.map.yaml': `version: 1
resource: transactions
source: { delimiter: ';' }
fields:
  import_supplier: { constant: ACME }
  external_account_number: K
  transaction_id: B
  transaction_date: { constant: '2026-01-05' }
  type: { constant: CREDIT }
  amount: { constant: 1.00 }
`,
    });
    const { stdout } = await site.check('t.csv', '--rejects', 'r.csv');
    expect(stdout).toContain(
      'rejects: once its rows are corrected, push it as a file of its own, with the same flags: dataimport push transactions r.csv --map t.csv.map.yaml\n',
    );
    writeFileSync(join(site.cwd, 'r.csv'), site.read('r.csv').replace('1;', '1;T2'));
    const corrected = await site.check('r.csv', '--map', 't.csv.map.yaml');
    expect(corrected).toMatchObject({ exitCode: 0, stderr: '' });
  });

  const CUT = '{ name: K, width: 2 }, { name: B, width: 3 }, { name: A, width: 4 }';
  const FIXED = 'fixed: [{ width: 2 }, { width: 3 }, { width: 4 }]';
  test.each([
    [
      "delimiter: ';', skip: until header, trailer: [{ cell: 1, starts_with: 'Rows: ', count: 1 }",
      ['Head', 'K;B;A', '1;T1;1.00', '1;;2.00', 'Rows: 2;;', 'T;2;3.00'],
      '1;T2;2.00',
    ],
    [
      `fixed: [${CUT}], skip_lines: 1, trailer: [{ cell: 1, equals: X, ${FIXED} }`,
      ['HEAD', '1 T1 1.00', '1    2.00', 'X        ', 'T 2  3.00'],
      '1 T2 2.00',
    ],
  ])('have a last line in place of control records: %s', async (format, lines, right) => {
    const total = '{ cell: 1, equals: T, count: 2, sums: [{ cell: 3, column: A }]';
    const source = `${format}, ${format.startsWith('fixed') ? total.replace(', count', `, ${FIXED}, count`) : total} }]`;
    const fields =
      "external_account_number: { constant: A1 }, transaction_id: B, transaction_date: { constant: '2026-01-05' }, type: { constant: CREDIT }, amount: A";
    const site = folderWith({
      't.csv': `${lines.join('\n')}\n`,
      'm.yaml': `version: 1\nresource: transactions\nsource: { ${source} }\nignore: [K]\nfields: { ${fields} }\n`,
    });
    const flags = ['--map', 'm.yaml', '--supplier', 'ACME'];
    const { stdout } = await site.check('t.csv', ...flags, '--rejects', 'r.csv');
    expect(stdout).toContain(`: dataimport push transactions r.csv ${flags.join(' ')}\n`);
    const rejects = site.read('r.csv');
    expect(rejects).toMatch(/\ndataimport-rejects$/);
    const corrected = rejects.replace(lines.at(-3)!, right);
    for (const [text, expected] of [
      [rejects, '1 row read: 1 invalid\n'],
      [corrected, '1 row read: 1 valid\n'],
      [corrected.replace('dataimport-rejects', ''), 'error trailer_unreadable'],
      [`${corrected}\n${corrected}`, 'error trailer_unreadable'],
    ] as const) {
      writeFileSync(join(site.cwd, 'r.csv'), text);
      expect((await site.check('r.csv', ...flags)).stdout).toContain(expected);
    }
  });

  test('contain both rows of a repeated id, and a row with too few cells', async () => {
    const site = folderWith({ 't.csv': `${[HEADER, GOOD('1'), GOOD('2'), GOOD('1'), 'ACME'].join('\n')}\n` });
    await site.check('t.csv', '--rejects', 'r.csv');
    expect(site.read('r.csv')).toBe(`${[HEADER, GOOD('1'), GOOD('1'), 'ACME'].join('\n')}\n`);
  });

  test('of several files have the names of their files, with a number where two are alike', () => {
    const sources = ['a/t.csv', 'u.csv.gz', 'b/t.csv', 'june.txt', 'MAY.CSV'];
    const targets = rejectsTargets('r.csv', sources, temporaryFolder());
    const names = targets.map(({ name }) => name).join(' ');
    expect(names).toBe('r-t-1.csv r-u.csv r-t-3.csv r-june.txt.csv r-MAY.csv');
  });

  test('are not written when the file as a whole has to be corrected', async () => {
    const site = folderWith({ 't.csv': `${HEADER.replace('amount', 'sum')}\n${BAD('1')}\n` });
    const { stdout } = await site.check('t.csv', '--rejects', 'r.csv');
    expect(stdout).toContain(
      'rejects: none written, because the file as a whole has to be corrected first\n',
    );
    expect(readdirSync(site.cwd)).toEqual(['t.csv']);
  });

  test('are written under the same name after a kill before they were complete', async () => {
    const site = folderWith({ 't.csv': [HEADER, GOOD('1'), BAD('2')].join('\n') });
    unfinished(site.cwd, 'r.csv', HEADER);
    const { exitCode, stdout, stderr } = await site.check('t.csv', '--rejects', 'r.csv');
    expect([exitCode, stderr]).toEqual([3, expect.not.stringContaining('file_exists')]);
    expect(stdout).toContain('rejects: 1 row in r.csv\n');
    expect(site.read('r.csv')).toBe([HEADER, BAD('2')].join('\n'));
    expect(readdirSync(site.cwd).sort()).toEqual(['r.csv', 't.csv']);
  });

  test('leave every file of another program alone, whatever its name', async () => {
    const OTHERS = ['r.csv-new', 'r.csv.reasons.csv', 'r.csv-new-1', 'r.csv-new-', 'r.csv-old'];
    const site = folderWith({
      't.csv': [HEADER, BAD('2')].join('\n'),
      ...Object.fromEntries(OTHERS.map((name) => [name, `mine: ${name}`])),
    });
    const copy = basename(unfinished(site.cwd, 'x.csv', 'x')).replace('x.csv', 'r.csv');
    writeFileSync(join(site.cwd, copy), `mine: ${copy}`);
    for (const command of [
      ['--rejects', 'r.csv'],
      ['--rejects', 'r.csv'],
    ]) {
      await site.check('t.csv', ...command);
      for (const name of [...OTHERS, copy]) expect(site.read(name)).toBe(`mine: ${name}`);
    }
    expect(site.read('r.csv')).toBe([HEADER, BAD('2')].join('\n'));
  });

  test('overwrite nothing, and the error comes before anything is read', async () => {
    const site = folderWith({ 't.csv': `${HEADER}\n${BAD('1')}\n`, 'r.csv': 'mine' });
    const { exitCode, stderr, stdout } = await site.check('t.csv', '--rejects', 'r.csv');
    expect([exitCode, stdout, site.read('r.csv')]).toEqual([2, '', 'mine']);
    expect(stderr).toContain('file_exists r.csv exists already');
    expect(readdirSync(site.cwd).toSorted()).toEqual(['r.csv', 't.csv']);
  });

  test.each([
    ['-', 'usage'],
    ['no/such/folder/r.csv', 'file_not_writable'],
    ['r.csv.gz', 'usage'],
    ['r.txt', 'usage', 't.jsonl'],
  ])('to %j are a usage error', async (name, code, file = 't.csv') => {
    const site = folderWith({ [file]: `${HEADER}\n${BAD('1')}\n` });
    const { exitCode, stderr } = await site.check(file, '--rejects', name);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(`error ${code} `);
  });
});

describe('the rejects of a file of another format', () => {
  const columns = HEADER.split(',');
  const PREAMBLE = ['Export of June', 'of the old system'];

  /** The rejects file of a source. A row with only a note continues the record of the row before. */
  async function rejectsOf(content: Buffer, format: Partial<SourceFormat>): Promise<Buffer> {
    const path = fileWith(content);
    const { run } = await stagedRun('transactions', content, {
      format: { ...RFC_4180, delimiter: ';', skipLines: PREAMBLE.length, ...format },
      plan: (plan) => ({ ...plan, continues: (row) => row.cells[0] === '' }),
    });
    const source = await openSourceFile(path);
    onTestFinished(() => source.close());
    const cwd = temporaryFolder();
    const targets = rejectsTargets('r.csv', [path], cwd);
    await writeRejects(run, {
      files: [{ file: source, mappedBy: null, endOfRejects: Buffer.alloc(0) }],
      targets,
      flags: [],
    });
    return readFileSync(join(cwd, 'r.csv'));
  }

  const lines = [
    ...PREAMBLE,
    columns.join(';'),
    'ACME;1001;1;2026-02-01;CREDIT;1.00;fine',
    'ACME;1001;2;2026-02-01;CREDIT;x;Ÿ €',
    ';;;;;;goes on',
    '',
    'ACME;1001;3;2026-02-01;CREDIT;1.00;fine',
    'ACME;1001;4;2026-02-01;CREDIT;x;bad',
  ];
  const rejected = [...lines.slice(0, 3), ...lines.slice(4, 6), lines[8]!];

  test.each(['\n', '\r\n'])('in UTF-16, with lines above the header, ended by %j', async (newline) => {
    const encode = (all: readonly string[]) => Buffer.from(`\uFEFF${all.join(newline)}${newline}`, 'utf16le');
    expect(await rejectsOf(encode(lines), { encoding: 'utf-16le' })).toEqual(encode(rejected));
    const big = (all: readonly string[]) => encode(all).swap16();
    expect(await rejectsOf(big(lines), { encoding: 'utf-16be' })).toEqual(big(rejected));
  });

  test('leave out the control record at the end', async () => {
    const encode = (all: readonly string[]) => Buffer.from(`${all.join('\n')}\n`);
    const trailer = { cell: 1, mark: { equals: 'TOTAL' }, fixed: null };
    const content = encode([...lines, 'TOTAL;5;;;;;']);
    expect(await rejectsOf(content, { totals: [trailer] })).toEqual(encode(rejected));
  });
});

describe('the rejects of a push', () => {
  const REFUSED = (id: string) => GOOD(id).replace('1001', '1003');

  test('contain refused and invalid rows, and no row that the platform accepted', async () => {
    const site = await migration(SEED);
    const file = site.csv('t.csv', HEADER, GOOD('1'), BAD('2'), REFUSED('3'), REFUSED('4'));
    const { exitCode } = await site.cli(
      'push',
      'transactions',
      file,
      '--skip-invalid',
      '-j',
      '1',
      '--rejects',
      'r.csv',
    );
    expect(exitCode).toBe(4);
    expect(readFileSync(join(site.cwd, 'r.csv'), 'utf8').trimEnd().split('\n')).toEqual([
      HEADER,
      BAD('2'),
      REFUSED('3'),
      REFUSED('4'),
    ]);
  });

  test('of invalid rows are written although nothing was sent', async () => {
    const site = await migration(SEED);
    const file = site.csv('t.csv', HEADER, GOOD('1'), BAD('2'));
    const { exitCode, stdout } = await site.cli('push', 'transactions', file, '--rejects', 'r.csv');
    expect(exitCode).toBe(3);
    expect(stdout).toContain('rejects: 1 row in r.csv');
    expect(await site.ledger()).toEqual([]);
  });

  test('that cannot be written after sending do not change the result', async () => {
    const site = await migration(SEED);
    const file = site.csv('t.csv', HEADER, GOOD('1'), REFUSED('3'));
    const io = site.io();
    // Another program makes a file of that name during sending.
    const nowMs = io.timing.nowMs;
    const timing = {
      ...io.timing,
      nowMs: () => {
        if (existsSync(join(site.cwd, '.dataimport'))) writeFileSync(join(site.cwd, 'r.csv'), 'mine');
        return nowMs();
      },
    };
    const argv = ['push', 'transactions', file, '-j', '1', '--rejects', 'r.csv'];
    const { exitCode, stdout } = await runCli(argv, { ...io, timing });
    expect(exitCode).toBe(4);
    expect(stdout).toContain('2 rows read: 1 arrived, 1 refused\n');
    expect(stdout).toContain('rejects: none written: r.csv exists already\n');
    expect(readFileSync(join(site.cwd, 'r.csv'), 'utf8')).toBe('mine');
  });

  test('of an earlier command stay, because their rows may be corrected', async () => {
    const site = await migration(SEED);
    const file = site.csv('t.csv', HEADER, GOOD('1'), REFUSED('3'));
    const push = ['push', 'transactions', file, '--rejects', 'r.csv'] as const;
    await site.cli(...push);
    writeFileSync(join(site.cwd, 'r.csv'), 'corrected');
    const { exitCode, stdout } = await site.cli(...push);
    expect(exitCode).toBe(4);
    expect(stdout).toContain('rejects: r.csv exists already, so none were written\n');
    expect(readFileSync(join(site.cwd, 'r.csv'), 'utf8')).toBe('corrected');
  });

  test('that cannot be written stop the push before anything is sent', async () => {
    const site = await migration(SEED);
    const file = site.csv('t.csv', HEADER, GOOD('1'));
    const { exitCode } = await site.cli('push', 'transactions', file, '--rejects', 'no/such/folder/r.csv');
    expect(exitCode).toBe(2);
    expect(await site.ledger()).toEqual([]);
  });
});
