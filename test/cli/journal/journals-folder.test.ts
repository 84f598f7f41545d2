import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { OpenJournals, readingsIn } from '../../../src/cli/journal/found-readings.ts';
import type { JournalScope } from '../../../src/cli/journal/database/run-header.ts';
import { Journal } from '../../../src/cli/journal/journal.ts';
import { JournalsFolder } from '../../../src/cli/journal/journals-folder.ts';
import { NOW } from '../../support/push-staged-run.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const SCOPE: JournalScope = {
  resource: 'transactions',
  target: 'https://platform.example',
  database: null,
  supplier: 'ACME',
  shard: null,
};

/** A folder with journals of these scopes, all without a reading. */
function folderWith(...scopes: readonly Partial<JournalScope>[]): JournalsFolder {
  const folder = new JournalsFolder(join(temporaryFolder(), 'journal'));
  for (const changes of scopes) {
    const scope = { ...SCOPE, ...changes };
    Journal.empty(folder.fileOf(scope), scope, { toolVersion: '0.0.0', createdAt: NOW }).close();
  }
  return folder;
}

describe('the file of a journal', () => {
  test.each<readonly [Partial<JournalScope>, name: RegExp]>([
    [{}, /^platform\.example-[0-9a-f]{8}\/ACME\/transactions\.sqlite$/],
    [{ shard: '2/4' }, /\/ACME\/transactions\.2of4\.sqlite$/],
    [
      { supplier: '../Müller & Co' },
      /^platform\.example-[0-9a-f]{8}\/M-ller-Co-[0-9a-f]{6}\/transactions\.sqlite$/,
    ],
    [{ resource: 'payment-instructions' }, /\/payment-instructions\.sqlite$/],
  ])('of %j is %s', (changes, name) => {
    const folder = folderWith();
    expect(folder.fileOf({ ...SCOPE, ...changes }).slice(folder.path.length + 1)).toMatch(name);
  });

  test('is that of the database behind the address, which may have several', () => {
    const [one, other] = [{ database: 'db-1' }, { database: 'db-1', target: 'https://10.0.0.1' }];
    const folder = folderWith(one);
    expect(folder.fileOf({ ...SCOPE, ...other })).toBe(folder.fileOf({ ...SCOPE, ...one }));
    expect(folder.fileOf({ ...SCOPE, database: 'db-2' })).not.toBe(folder.fileOf({ ...SCOPE, ...one }));
    expect(folder.databaseOf('https://platform.example')).toBe('db-1');
    expect(folder.databaseOf('https://other.example')).toBeNull();
  });
});

describe('a folder of journals', () => {
  test('that is missing has none, and is not made', () => {
    const folder = folderWith();
    expect([folder.files(), folder.open(SCOPE)]).toEqual([[], undefined]);
  });

  test('has the journals of other shards and suppliers beside one', () => {
    const folder = folderWith(
      {},
      { shard: '1/2' },
      { supplier: 'OTHER' },
      { resource: 'notes' },
      { target: 'https://b.example' },
    );
    const names = folder.beside(SCOPE).map(({ name }) => name.split('/').slice(1).join('/'));
    expect(names).toEqual(['ACME/transactions.1of2', 'OTHER/transactions']);
  });

  test('lists the readings of its journals, and says which journals cannot be read now', () => {
    const folder = folderWith({}, { resource: 'notes' });
    const journals = new OpenJournals();
    const held = Journal.open(folder.fileOf({ ...SCOPE, resource: 'notes' }));
    const { found, unread } = readingsIn([folder], journals);
    expect(found).toEqual([]);
    expect(unread).toMatchObject([{ error: { code: 'run_locked' } }]);
    held.close();
    journals.close();
  });
});
