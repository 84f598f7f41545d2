import { expect, test } from 'vitest';
import { admin } from '../../../support/server-admin.ts';
import { ACCOUNT, startPlatform, statement } from '../../../support/server-platform.ts';

const seed = (root: string) => `version: 1
api_keys: [{ key: all-key }]
suppliers: [{ code: ACME, name: Acme, status: Ongoing${root} }]
accounts: [{ import_supplier: ACME, external_account_number: '1001', state: imported }]
`;

test.each([
  ['s3://migration/acme/', 's3://migration/acme/'],
  ['s3://migration/acme', 's3://migration/acme/'],
])('2.2: the ledger and the account show the root %s followed by the path', async (root, before) => {
  const platform = await startPlatform({ seed: seed(`, document_root: '${root}'`) });
  const document_paths = [{ document_path: 'letters/1.pdf' }, { document_path: 'letters/2.pdf' }];
  await platform.post('createNotes', { ...ACCOUNT, notes: [{ document_paths }, { body: 'no document' }] });
  await platform.post('createStatements', {
    ...ACCOUNT,
    statements: [statement({ statement_path: 'statements/1.pdf' })],
  });
  const ofNote = [`${before}letters/1.pdf`, `${before}letters/2.pdf`];
  const ofStatement = [`${before}statements/1.pdf`];

  expect((await platform.ledger()).map((line) => (line as { documents?: unknown }).documents)).toEqual([
    ofNote,
    undefined,
    ofStatement,
  ]);
  const { body } = await admin(platform, 'GET accounts/ACME/1001');
  expect(body.notes).toMatchObject([{ document_paths, documents: ofNote }, { body: 'no document' }]);
  expect(body.statements).toMatchObject([{ statement_path: 'statements/1.pdf', documents: ofStatement }]);
});

test('2.2: without a root no location is known', async () => {
  const platform = await startPlatform({ seed: seed('') });
  await platform.post('createStatements', {
    ...ACCOUNT,
    statements: [statement({ statement_path: 'statements/1.pdf' })],
  });
  expect((await platform.ledger())[0]).not.toHaveProperty('documents');
});

test('2.5: the ledger and the account warn of a statement_path that is no PDF, which the answer cannot', async () => {
  const platform = await startPlatform({ seed: seed('') });
  const statements = [
    statement({ statement_id: 'S1', statement_path: 'statements/1.docx' }),
    statement({ statement_id: 'S2', statement_path: 'statements/2.PDF' }),
    statement({ statement_id: 'S3' }),
  ];
  expect(await platform.post('createStatements', { ...ACCOUNT, statements })).toMatchObject({ status: 201 });
  const warnings = [['undocumented_value'], undefined, undefined];
  const inLedger = (await platform.ledger()) as readonly { readonly warnings?: unknown }[];
  expect(inLedger.map((line) => line.warnings)).toEqual(warnings);
  const { body } = await admin(platform, 'GET accounts/ACME/1001');
  const onPage = body.statements as readonly { readonly warnings?: unknown }[];
  expect(onPage.map((each) => each.warnings)).toEqual(warnings);
});
