import type { RecordKind } from '../../core/contract/resources.ts';
import { accountsIn } from './accounts.ts';
import { closeDatabase, openDatabase } from './database.ts';
import { importStepsIn } from './import-steps.ts';
import { ledgerIn } from './ledger.ts';
import { namedValuesIn } from './named-values.ts';
import { recordsIn } from './records.ts';
import {
  apiKeysIn,
  closedListsIn,
  databaseIdentityIn,
  ignoredFieldsIn,
  suppliersIn,
  vendorsIn,
} from './setup.ts';
import { snapshotsOf } from './snapshots.ts';

/** Everything that the platform remembers, in one SQLite database. Each operation is one statement, prepared once. */
export type Store = ReturnType<typeof openStore>;

export interface Counts {
  readonly suppliers: number;
  readonly accounts: number;
  readonly records: Readonly<Record<RecordKind, number>>;
  /** How often a transaction came again under its id with other content, and was left as it was. */
  readonly conflicting_replays: number;
}

/** @throws AppError `database_unusable` */
export function openStore(file: string) {
  const database = openDatabase(file);
  const [setup, own] = [namedValuesIn(database, 'setup'), namedValuesIn(database, 'own')];
  const suppliers = suppliersIn(setup, database);
  const accounts = accountsIn(database);
  const records = recordsIn(database);
  const inTransaction = database.transaction((work: () => unknown) => work());
  return {
    databaseIdentity: databaseIdentityIn(own),
    suppliers,
    accounts,
    importSteps: importStepsIn(database),
    apiKeys: apiKeysIn(own),
    closedLists: closedListsIn(setup),
    ignoredFields: ignoredFieldsIn(setup),
    vendors: vendorsIn(setup),
    records,
    ledger: ledgerIn(database),
    snapshots: snapshotsOf(database),
    counts: (): Counts => {
      const { byKind, conflictingReplays } = records.counts();
      return {
        suppliers: suppliers.count(),
        accounts: accounts.count(),
        records: byKind,
        conflicting_replays: conflictingReplays,
      };
    },
    /** Runs `work` in one transaction. When `work` throws, nothing of it is stored. A write inside a write undoes only its own part. */
    write: <T>(work: () => T) => inTransaction.immediate(work) as T,
    /** Writes the whole database into its file and closes it. May be called again. @throws AppError `database_unusable` */
    close: () => closeDatabase(database),
  };
}
