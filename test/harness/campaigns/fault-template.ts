import { mkdirSync } from 'node:fs';
import { generatedMigration } from '../generated-migration.ts';
import { csvRows } from '../oracle/csv-rows.ts';
import { expectedLedger, type CanonicalLedger, type OracleFile } from '../oracle/oracle.ts';
import { recordOfRow, type AccountRecord } from '../oracle/records.ts';
import { keyOf } from '../simulated-answers.ts';
import { stagedBytes } from '../staged-run.ts';

/**
 * Variants of a run: the four resources, transactions without the check for existing ones, and
 * files with rows that the platform rejects (`--on-reject skip`).
 */
export const VARIANTS = [
  'notes',
  'transactions',
  'transactions, check off',
  'transactions, check off, skip',
  'statements',
  'payment-instructions',
  'notes, skip',
  'transactions, skip',
  'statements, skip',
  'payment-instructions, skip',
] as const;
export type Variant = (typeof VARIANTS)[number];

/** A staged run file from which many runs start. */
export interface Template {
  readonly file: OracleFile;
  readonly accounts: ReturnType<typeof generatedMigration>['accounts'];
  readonly bytes: Uint8Array;
  readonly rows: readonly AccountRecord[];
  readonly expected: CanonicalLedger;
  /** Rows that the platform rejects, counted from 0, and their keys. */
  readonly unwanted: ReadonlySet<number>;
  readonly unwantedKeys: ReadonlySet<string>;
  /** Most bytes of the records of a request. */
  readonly batchBytes: number;
}

/** Templates of each variant. */
export const TEMPLATES_PER_VARIANT = 12;

/** Stages a template of a variant. */
export async function templateOf(variant: Variant, number: number, folder: string): Promise<Template> {
  const size = { accounts: 1 + (number % 4), notes: 6, transactions: 6, statements: 5 };
  const { files, accounts } = generatedMigration(1000 + number, size);
  const file = files.find(({ resource }) => variant.startsWith(resource))!;
  const batchSize = variant === 'payment-instructions' ? 1 : 1 + (number % 3);
  const batchBytes = [1_000_000, 250, 350, 500][number % 4]!;
  mkdirSync(folder, { recursive: true });
  const isSkipping = variant.endsWith(', skip');
  const staging = {
    check: !variant.includes(', check off'),
    onReject: isSkipping ? 'skip' : 'stop',
  } as const;
  const bytes = await stagedBytes({ file, batchSize, batchBytes, ...staging }, folder);
  const rows = csvRows(file.text).map(recordOfRow);
  const keys = rows.map(({ account, record }) => `${account} ${keyOf(file.resource, record)}`);
  // A record is rejected in every row that has it.
  const unwantedKeys = new Set(isSkipping ? keys.filter((_, index) => (index + number) % 4 === 0) : []);
  const unwanted = new Set([...rows.keys()].filter((row) => unwantedKeys.has(keys[row]!)));
  const expected = expectedLedger([file], accounts, (_, row) => unwanted.has(row));
  return { file, accounts, bytes, rows, expected, unwanted, unwantedKeys, batchBytes };
}
