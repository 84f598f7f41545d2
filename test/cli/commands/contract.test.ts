import { copyFileSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readContract } from '../../../src/core/operator/contract-file.ts';
import { fakeIo, runCli } from '../../support/cli-io.ts';
import { operatorDocument } from '../../support/operator-document.ts';
import { projectRoot } from '../../support/source-tree.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const CONTRACTS = join(projectRoot, 'fixtures/contracts');

/** A folder with the documents of a made-up operator. */
function folderWith(operator: string, ...names: readonly string[]): string {
  const folder = temporaryFolder();
  for (const name of names) copyFileSync(join(CONTRACTS, operator, name), join(folder, name));
  return folder;
}

test('an import writes a contract and reports every line with its place', async () => {
  const cwd = folderWith('halmere', 'openapi.yaml');
  const { exitCode, stdout, stderr } = await runCli(['contract', 'import', 'openapi.yaml'], fakeIo({ cwd }));
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  expect(stdout).toContain('Halmere Data Import 2026.11.1 (OpenAPI 3.0.3), imported from openapi.yaml on ');
  expect(stdout).toMatch(
    /\n {2}openapi\.yaml:\d+:\d+ transactions\.CHARGE\|CREDIT\.reason: required \[\/components\/schemas\/ChargeTransaction\/allOf\/1\/properties\/reason\]\n/,
  );
  expect(stdout).toContain('contract.json was written.\n');
  expect(stdout.endsWith('next: dataimport serve --contract contract.json\n')).toBe(true);
  expect(
    readContract('contract.json', readFileSync(join(cwd, 'contract.json'), 'utf8')).resources.transactions,
  ).toBeDefined();
});

test('an import replaces a contract only when it is told to, and never another file', async () => {
  const cwd = folderWith('halmere', 'openapi.yaml', 'contract.json');
  writeFileSync(join(cwd, 'notes.txt'), 'mine');
  const imported = (...flags: readonly string[]) =>
    runCli(['contract', 'import', 'openapi.yaml', ...flags], fakeIo({ cwd }));
  const refused = { exitCode: 2, stderr: expect.stringContaining('error file_exists ') as string };
  expect(await imported()).toMatchObject(refused);
  expect((await imported('--force')).exitCode).toBe(0);
  expect(await imported('--force', '--out', 'notes.txt')).toMatchObject(refused);
  expect(readFileSync(join(cwd, 'notes.txt'), 'utf8')).toBe('mine');
  // Standard output was meant by this once, and a file of this name by nobody.
  expect(await imported('--out', '-')).toMatchObject({ exitCode: 2, stdout: '' });
  expect(() => readFileSync(join(cwd, '-'))).toThrow('ENOENT');
});

test('--json has the counts and every finding', async () => {
  const io = fakeIo({ cwd: folderWith('ostrelle', 'openapi.yaml') });
  const { json } = await runCli(['contract', 'import', 'openapi.yaml', '--json'], io);
  const document = json();
  expect(document).toMatchObject({
    version: 1,
    exit: { code: 0, name: 'OK' },
    contract: 'contract.json',
    document: { title: 'Ostrelle customer import', openapi: '3.0.3' },
    not_enforced: [],
  });
  const findings = document['demands'] as readonly { readonly name: string }[];
  expect(findings.find(({ name }) => name === 'transactions.SUPPLY_CHARGE.line_items[].params')).toEqual({
    kind: 'tightened',
    name: 'transactions.SUPPLY_CHARGE.line_items[].params',
    resource: 'transactions',
    types: ['SUPPLY_CHARGE'],
    field: 'line_items[].params',
    says: 'is added: object, required',
    from: '/components/schemas/LineItem/properties/params',
    file: 'openapi.yaml',
    line: expect.any(Number) as number,
    column: expect.any(Number) as number,
  });
});

test('an import ends with 6 when the document lacks a request of records', async () => {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, 'o.json'), JSON.stringify(operatorDocument()));
  const { exitCode, stdout } = await runCli(['contract', 'import', 'o.json'], fakeIo({ cwd }));
  expect(exitCode).toBe(6);
  const [, end] = stdout.split('Such pushes would fail because of this: ask the operator\n');
  expect(end).toContain('the document has no POST /v1/data-import/historical-statements/create/');
  const { json } = await runCli(['contract', 'import', 'o.json', '--json', '--force'], fakeIo({ cwd }));
  expect(JSON.stringify(json()['demands']).split('"refuses_all":true')).toHaveLength(3);
  writeFileSync(join(cwd, 's.csv'), 'external_account_number,statement_id\nA-1,x\n');
  const checked = await runCli(
    ['check', 'statements', 's.csv', '--contract', 'contract.json'],
    fakeIo({ cwd }),
  );
  expect(checked.stderr).toContain('contract.json: statements: the document has no POST ');
});

test('a document that is cut, or too large, leaves no contract', async () => {
  const cwd = folderWith('halmere', 'openapi.yaml');
  const text = readFileSync(join(cwd, 'openapi.yaml'), 'utf8');
  writeFileSync(join(cwd, 'cut.yaml'), text.slice(0, text.indexOf('    Note:')));
  writeFileSync(join(cwd, 'large.yaml'), '');
  truncateSync(join(cwd, 'large.yaml'), 50 * 1024 * 1024);
  const cut = await runCli(['contract', 'import', 'cut.yaml'], fakeIo({ cwd }));
  expect(cut).toMatchObject({ exitCode: 2 });
  expect(cut.stderr).toMatch(
    /cut\.yaml:\d+:\d+ error document_invalid the document cannot be used: the reference leads to nothing: .* \(\/.*\)\nnext: /,
  );
  const large = await runCli(['contract', 'import', 'large.yaml'], fakeIo({ cwd }));
  expect(large).toMatchObject({ exitCode: 2 });
  expect(large.stderr).toContain('large.yaml cannot be read: it is larger than 8388608 bytes');
  expect(() => readFileSync(join(cwd, 'contract.json'))).toThrow('ENOENT');
});

test('show lists what is added and what is narrower by types, with its pointer', async () => {
  const cwd = folderWith('halmere', 'contract.json');
  const { stdout } = await runCli(['contract', 'show'], fakeIo({ cwd }));
  expect(stdout).toMatch(/\n\ntransactions\n/);
  expect(stdout).toMatch(
    /\n {2}transactions\.CHARGE\.reason: one of 77 values: .* \[\/components\/schemas\/ChargeTransaction\/allOf\/1\/properties\/reason\]\n/,
  );
  expect(stdout).toMatch(/\n {2}transactions\.billing_document_identifier: is added: text/);
  expect(stdout).not.toContain('transaction_date');
  expect(stdout).toMatch(/\n\nrules\n(?: {2}.*\n)* {2}transaction_in_future: /);
  const env = { DATAIMPORT_CONTRACT: join(cwd, 'contract.json') };
  const elsewhere = await runCli(['contract', 'show', '--json'], fakeIo({ env }));
  expect(elsewhere.json()).toMatchObject({
    contract: join(cwd, 'contract.json'),
    account_number: { 'payment-instructions': 'halmere_account_number' },
  });
});

test('diff ends with 6 when something became tighter, and with 0 when nothing did', async () => {
  const cwd = folderWith('ostrelle', 'contract.json', 'contract-3.1.json');
  const tighter = await runCli(['contract', 'diff', 'contract.json', 'contract-3.1.json'], fakeIo({ cwd }));
  expect(tighter.exitCode).toBe(6);
  expect(tighter.stdout).toContain('tightened\n  transactions.PAYMENT.payment_type: required [');
  const same = await runCli(
    ['contract', 'diff', 'contract.json', 'contract.json', '--json'],
    fakeIo({ cwd }),
  );
  expect(same.exitCode).toBe(0);
  expect(same.json()).toMatchObject({ changes: [] });
});

test('diff says when the schemas differ in what it does not compare', async () => {
  const cwd = folderWith('ostrelle', 'contract.json');
  const contract = JSON.parse(readFileSync(join(cwd, 'contract.json'), 'utf8')) as {
    schemas: { components: { schemas: Record<string, object> } };
  };
  contract.schemas.components.schemas['Note'] = {
    ...contract.schemas.components.schemas['Note'],
    minProperties: 3,
  };
  writeFileSync(join(cwd, 'new.json'), JSON.stringify(contract));
  const { exitCode, stdout } = await runCli(
    ['contract', 'diff', 'contract.json', 'new.json'],
    fakeIo({ cwd }),
  );
  expect([exitCode, stdout]).toEqual([6, expect.stringContaining('the schemas of the two differ otherwise')]);
});
