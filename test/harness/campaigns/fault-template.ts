import { mkdirSync } from 'node:fs';
import { generatedMigration } from '../generated-migration.ts';
import { csvRows } from '../oracle/csv-rows.ts';
import { expectedLedger, type CanonicalLedger, type OracleFile } from '../oracle/oracle.ts';
import { recordOfRow, type AccountRecord } from '../oracle/records.ts';
import { keyOf } from '../simulated-answers.ts';
import { stagedBytes } from '../staged-run.ts';

/**
 * Every way of sending: the four resources, transactions that the platform is told not to look for (also so that a
 * request in doubt ends the run, `--on-ambiguous stop`), and files with rows that it does not want (`--on-reject skip`).
 */
export const WAYS = [
  'notes',
  'transactions',
  'transactions, check off',
  'transactions, check off, stop',
  'statements',
  'payment-instructions',
  'notes, skip',
  'transactions, skip',
  'statements, skip',
  'payment-instructions, skip',
] as const;
export type Way = (typeof WAYS)[number];

/** A file that stories are told about, staged in one way. */
export interface Template {
  readonly file: OracleFile;
  readonly accounts: ReturnType<typeof generatedMigration>['accounts'];
  readonly bytes: Uint8Array;
  readonly rows: readonly AccountRecord[];
  readonly expected: CanonicalLedger;
  /** Rows that the platform refuses, counted from 0, and their keys. */
  readonly unwanted: ReadonlySet<number>;
  readonly unwantedKeys: ReadonlySet<string>;
}

/** Files of each way. */
export const TEMPLATES_PER_WAY = 12;

/** Stages one of the files of a way. */
export async function templateOf(way: Way, number: number, folder: string): Promise<Template> {
  const size = { accounts: 1 + (number % 4), notes: 6, transactions: 6, statements: 5 };
  const { files, accounts } = generatedMigration(1000 + number, size);
  const file = files.find(({ resource }) => way.startsWith(resource))!;
  const batchSize = way === 'payment-instructions' ? 1 : 1 + (number % 3);
  mkdirSync(folder, { recursive: true });
  const isSkipping = way.endsWith(', skip');
  const staging = {
    check: !way.includes(', check off'),
    onAmbiguous: way.endsWith(', stop') ? 'stop' : 'resend',
    onReject: isSkipping ? 'skip' : 'stop',
  } as const;
  const bytes = await stagedBytes({ file, batchSize, ...staging }, folder);
  const rows = csvRows(file.text).map(recordOfRow);
  const keys = rows.map(({ account, record }) => `${account} ${keyOf(file.resource, record)}`);
  // Whoever is refused is so wherever it stands in the file.
  const unwantedKeys = new Set(isSkipping ? keys.filter((_, index) => (index + number) % 4 === 0) : []);
  const unwanted = new Set([...rows.keys()].filter((row) => unwantedKeys.has(keys[row]!)));
  const expected = expectedLedger([file], accounts, (_, row) => unwanted.has(row));
  return { file, accounts, bytes, rows, expected, unwanted, unwantedKeys };
}
