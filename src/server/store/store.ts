import { accountsIn, type Accounts } from './accounts.ts';
import { apiKeysIn, type ApiKeys } from './api-keys.ts';
import { contentsOf, type Contents } from './contents.ts';
import { closeDatabase, openDatabase } from './database.ts';
import { documentsIn, type Documents } from './documents.ts';
import { enumValuesIn, type EnumValues } from './enum-values.ts';
import { ignoredFieldsIn, type IgnoredFields } from './ignored-fields.ts';
import { importStepsIn, type ImportSteps } from './import-steps.ts';
import { ledgerIn, type Ledger } from './ledger.ts';
import { productCodesIn, type ProductCodes } from './product-codes.ts';
import { recordsIn, type Records } from './records.ts';
import { suppliersIn, type Suppliers } from './suppliers.ts';
import { vendorsIn, type Vendors } from './vendors.ts';

/** Everything that the platform remembers, in one SQLite database. Each verb is one statement, prepared once. */
export interface Store {
  readonly suppliers: Suppliers;
  readonly accounts: Accounts;
  readonly importSteps: ImportSteps;
  readonly apiKeys: ApiKeys;
  readonly productCodes: ProductCodes;
  readonly enumValues: EnumValues;
  readonly documents: Documents;
  readonly ignoredFields: IgnoredFields;
  readonly vendors: Vendors;
  readonly records: Records;
  readonly ledger: Ledger;
  readonly contents: Contents;
  /**
   * Runs `work` in one IMMEDIATE transaction: what it reads stays true until it has written. Its effects are on disk
   * when this returns; when it throws, nothing of it has happened.
   */
  write<T>(work: () => T): T;
  /** Makes the database file whole and closes it; a second call does nothing. @throws AppError `database_not_whole` */
  close(): void;
}

/** @throws AppError `database_unusable` */
export function openStore(file: string): Store {
  const database = openDatabase(file);
  const inTransaction = database.transaction(<T>(work: () => T): T => work());
  return {
    suppliers: suppliersIn(database),
    accounts: accountsIn(database),
    importSteps: importStepsIn(database),
    apiKeys: apiKeysIn(database),
    productCodes: productCodesIn(database),
    enumValues: enumValuesIn(database),
    documents: documentsIn(database),
    ignoredFields: ignoredFieldsIn(database),
    vendors: vendorsIn(database),
    records: recordsIn(database),
    ledger: ledgerIn(database),
    contents: contentsOf(database),
    write: <T>(work: () => T): T => inTransaction.immediate(work) as T,
    close: () => closeDatabase(database),
  };
}
