import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { EXITS } from '../../src/cli/output/exit-codes.ts';
import { fakeIo, runCli } from '../support/cli-io.ts';
import {
  COHORT,
  NOTES as HEADER,
  note,
  seedWith,
  site,
  transaction,
  TRANSACTIONS,
} from '../support/cohort-site.ts';
import { startPlatform } from '../support/server-platform.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** Notes of one account number under two suppliers, one of which does not exist, and of another account. */
const NOTES = `import_supplier,external_account_number,body
NOBODY,1001,for nobody
ACME,1001,first
NOBODY,1001,for nobody again
BETA,2001,second
`;

test.each([
  [404, 'account_not_found'],
  [400, 'invalid_choice'],
] as const)(
  '%i for notes of an unknown supplier rejects them alone, and no note of the same account number elsewhere',
  async (unknownSupplierStatus, code) => {
    const platform = await startPlatform({ behaviour: [`unknown-supplier-status=${unknownSupplierStatus}`] });
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, 'notes.csv'), NOTES);
    const env = { DATAIMPORT_BASE_URL: platform.url, DATAIMPORT_API_KEY: 'all-key' };
    const result = await runCli(
      ['push', 'notes', 'notes.csv', '--on-reject', 'skip', '--json'],
      fakeIo({ cwd, env }),
    );
    const { rows, problems } = result.json() as {
      rows: Record<string, number>;
      problems: readonly { code: string; line: number; detail: string }[];
    };
    expect(result.exitCode, result.stderr).toBe(EXITS.PARTIAL.code);
    expect(rows).toMatchObject({ read: 4, created: 2, rejected: 2, not_sent: 0, unknown: 0 });
    expect(problems.map((problem) => [problem.code, problem.line])).toEqual([[code, 2]]);
    if (code === 'account_not_found')
      expect(problems[0]!.detail).toContain('no imported account has this supplier code and account number');
    const stored = (await platform.ledger()).map(({ data }) => data['body']);
    expect(stored).toEqual(['first', 'second']);
  },
);

test('a refused supplier ends no cohort of two suppliers, also where a later resource alone has both', async () => {
  const seed = seedWith('imported', 'imported')
    .replace('[ACME]', '[ACME, BETA]')
    .replace('suppliers: [{', 'suppliers: [{code: BETA, name: B, status: Ongoing}, {')
    .replace('ACME, external_account_number: "1002"', 'BETA, external_account_number: "1002"');
  const made = await site(seed, COHORT.replace('supplier: ACME\n', ''));
  made.csv('t.csv', TRANSACTIONS, transaction(1002, 't-1').replace('ACME', 'BETA'), transaction(1001, 't-2'));
  made.csv('n1.csv', HEADER, note(1001, 'first'));
  made.csv('n2.csv', HEADER, note(1001, 'second'));
  const errors = [{ detail: 'x', code: 'invalid_choice', attr: 'import_supplier' }];
  const body = JSON.stringify({ detail: 'x', code: 'validation_error', errors });
  await made.faults(`transactions accept status=400 account=1002 body='${body}'`);
  expect((await made.cli('migrate', 'night.yaml', '--on-reject', 'skip')).exitCode).toBe(6);
  expect(await made.ledger()).toHaveLength(3);
});
