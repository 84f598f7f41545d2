import { expect, test } from 'vitest';
import { documentsOf, namesDocuments } from '../../../src/core/contract/document-paths.ts';
import { RESOURCES, type RecordOf } from '../../../src/core/contract/resources.ts';

test('notes and statements can name documents', () => {
  expect(RESOURCES.filter(namesDocuments)).toEqual(['notes', 'statements']);
});

test('a note names each of its documents, with its place', () => {
  const note: RecordOf['notes'] = {
    document_paths: [{ document_path: 'a.pdf' }, { document_path: 'b.pdf' }],
  };
  expect(documentsOf('notes', note)).toEqual([
    { document: 'a.pdf', path: ['document_paths', 0, 'document_path'] },
    { document: 'b.pdf', path: ['document_paths', 1, 'document_path'] },
  ]);
  expect(documentsOf('notes', { body: 'No document' })).toEqual([]);
});

test('a statement names its document, and an operator may have statements without one', () => {
  const statement = { statement_id: 'S' } as RecordOf['statements'];
  expect(documentsOf('statements', { ...statement, statement_path: 's.pdf' })).toEqual([
    { document: 's.pdf', path: ['statement_path'] },
  ]);
  expect(documentsOf('statements', statement)).toEqual([]);
});

test('a transaction names none', () => {
  expect(documentsOf('transactions', {} as RecordOf['transactions'])).toEqual([]);
});
