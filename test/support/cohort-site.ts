import { cohortDocument, type CohortDocument } from './json-documents.ts';
import { journalsIn, readingsOf } from './journals.ts';
import { migration, type Migration } from './migration.ts';

export const documentOf = (result: { json(): unknown }): CohortDocument =>
  cohortDocument.parse(result.json());

/** A platform with accounts 1001 to 1004 in these states, and vendors for their instructions. */
export function seedWith(...states: readonly string[]): string {
  const accounts = states.map(
    (state, index) =>
      `  - {import_supplier: ACME, external_account_number: "${1001 + index}", state: ${state}}`,
  );
  return `
version: 1
api_keys: [{key: local-key, suppliers: [ACME]}]
suppliers: [{code: ACME, name: Acme Energy, status: Ongoing}]
vendors: [{code: STRIPE, instructions: [{reference: pi_1, type: CARD}, {reference: pi_2, type: CARD}]}]
accounts:
${accounts.join('\n')}
`;
}

export const TRANSACTIONS =
  'import_supplier,external_account_number,transaction_id,transaction_date,type,amount';
export const NOTES = 'import_supplier,external_account_number,body,created_at';
export const STATEMENTS =
  'import_supplier,external_account_number,statement_id,number,issued_date,bill_period_from_date,bill_period_to_date,gross_amount';

export const INSTRUCTIONS = 'import_supplier,external_account_number,vendor,reference,type';
export const instruction = (account: number, reference: string): string =>
  `ACME,${account},STRIPE,${reference},CARD`;

export const transaction = (account: number, id: string, amount = '1.10', type = 'CREDIT'): string =>
  `ACME,${account},${id},2026-02-01,${type},${amount}`;
export const note = (account: number, body: string): string => `ACME,${account},${body},2026-01-01T00:00:00Z`;
export const statement = (account: number, id: string, amount = '110'): string =>
  `ACME,${account},${id},${id},2026-02-01,2026-01-01,2026-01-31,${amount}`;

export const COHORT = `
version: 1
supplier: ACME
resources:
  transactions: { files: [t.csv] }
  notes: { files: ["n*.csv"] }
`;

/** Two accounts with notes in two files and transactions in one. */
export async function site(seed: string, cohort = COHORT): Promise<Migration> {
  const made = await migration(seed);
  writeCohort(made.csv, cohort);
  return made;
}

/** Writes the files of `site`. */
export function writeCohort(
  csv: (name: string, ...lines: readonly string[]) => unknown,
  cohort = COHORT,
): void {
  csv('t.csv', TRANSACTIONS, transaction(1001, 't-1'), transaction(1002, 't-2'), transaction(1001, 't-3'));
  csv('n1.csv', NOTES, note(1001, 'first'), note(1002, 'first'));
  csv('n2.csv', NOTES, note(1002, 'second'), note(1001, 'second'));
  csv('night.yaml', cohort);
}

export const runsOf = ({ cwd }: Pick<Migration, 'cwd'>): readonly string[] =>
  readingsOf(journalsIn(cwd))
    .map(({ header }) => header.id)
    .toSorted();
