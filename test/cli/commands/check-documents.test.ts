import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { fakeIo, runCli } from '../../support/cli-io.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const STATEMENTS = `import_supplier,external_account_number,statement_id,bill_period_from_date,bill_period_to_date,statement_path
ACME,1,S1,2025-01-01,2025-01-31,bills/a.pdf
ACME,1,S2,2025-02-01,2025-02-28,bills/b.pdf
ACME,1,S3,2025-03-01,2025-03-31,
`;
const NOTES = `import_supplier,external_account_number,body,document_paths.0.document_path,document_paths.1.document_path
ACME,1,Letter,letters/1.pdf,letters/2.pdf
`;

async function check(
  resource: 'statements' | 'notes' | 'transactions',
  listing: string | Buffer,
  name = 'listing.txt',
) {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, 'rows.csv'), resource === 'notes' ? NOTES : STATEMENTS);
  writeFileSync(join(cwd, name), listing);
  const io = fakeIo({ cwd, nowMs: Date.UTC(2026, 10, 22) });
  return runCli(['check', resource, 'rows.csv', '--documents', name, '--json'], io);
}

describe('check --documents', () => {
  test('finds each document of a row that is not listed at its cell, and counts documents that no row names', async () => {
    const { exitCode, json } = await check('statements', 'bills/a.pdf\nbills/c.pdf\nbills/d.pdf\n');
    expect(exitCode).toBe(3);
    expect(json()['problems']).toMatchObject([
      {
        code: 'document_not_listed',
        severity: 'error',
        file: 'rows.csv',
        line: 3,
        column: 6,
        header: 'statement_path',
        detail: 'is not in listing.txt',
      },
      {
        code: 'document_not_listed',
        severity: 'warning',
        file: 'listing.txt',
        detail: 'documents that no row names: 2 of 3 in listing.txt',
      },
    ]);
  });

  test('finds the second document of a note', async () => {
    const { json } = await check('notes', 'letters/1.pdf\n');
    expect(json()['problems']).toMatchObject([
      { code: 'document_not_listed', line: 2, column: 5, attr: 'document_paths.1.document_path' },
    ]);
  });

  test('accepts a long listing that begins above the folder of the supplier, packed or not', async () => {
    const listing =
      '2026-01-31 09:30:00 12345 migration/acme/bills/a.pdf\n2026-01-31 09:30:00 99 migration/acme/bills/b.pdf\n';
    expect((await check('statements', listing)).json()).toMatchObject({ exit: { code: 0 }, problems: [] });
    expect((await check('statements', gzipSync(listing), 'listing.txt.gz')).json()).toMatchObject({
      exit: { code: 0 },
    });
  });

  test('takes one folder around all documents, so that equal names elsewhere prove nothing', async () => {
    const { json } = await check('statements', 'acme/bills/a.pdf\nother/bills/b.pdf\n');
    expect(json()['problems']).toMatchObject([
      { code: 'document_not_listed', line: 3 },
      { code: 'document_not_listed' },
    ]);
  });

  test.each([
    ['no listing at all', 'statements', '\n', 2, 'file_not_readable'],
    ['a resource without documents', 'transactions', 'a.pdf', 2, 'transactions name no documents'],
    ['a damaged file', 'statements', 'no gzip', 2, 'file_not_readable'],
  ] as const)('%s ends the command', async (_, resource, listing, exitCode, says) => {
    const result = await check(resource, listing, says === 'file_not_readable' ? 'x.gz' : 'listing.txt');
    expect(result.exitCode).toBe(exitCode);
    expect(JSON.stringify(result.json()['problems'])).toContain(says);
  });

  test('a missing listing ends the command', async () => {
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, 'rows.csv'), STATEMENTS);
    const result = await runCli(
      ['check', 'statements', 'rows.csv', '--documents', 'none.txt'],
      fakeIo({ cwd }),
    );
    expect(result).toMatchObject({ exitCode: 2 });
  });
});
