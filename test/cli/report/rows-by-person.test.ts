import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { rowsByPerson } from '../../../src/cli/report/rows-by-person.ts';
import type { RunFile } from '../../../src/cli/run-file/run-file.ts';
import { problemWith } from '../../support/run-report.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

test('the words of the platform are no formula in the list of a person', () => {
  const cwd = temporaryFolder();
  const lists = rowsByPerson('lists', { cwd, onClose: () => undefined, showValues: true });
  lists.add({
    header: { resource: 'transactions', sources: [{ name: 't.csv' }], options: { selection: {} } },
    *openRows() {
      const problems = [problemWith({ detail: '=1+1' })];
      const account = { import_supplier: 'ACME', external_account_number: '1001' };
      const row = { id: 't-1', type: 'CREDIT', amount: '1.00', source: 1, line: 2, payload: null };
      yield { ...account, ...row, outcome: 'rejected', problems };
    },
  } as unknown as RunFile);
  const [list] = lists.finish();
  expect(readFileSync(join(cwd, list!.file), 'utf8').trimEnd().split('\n').slice(1)).toEqual([
    "ACME,1001,t-1,CREDIT,,1.00,t.csv,2,rejected,invalid,'=1+1",
  ]);
});
