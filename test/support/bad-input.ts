import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { FakeIoOptions } from './cli-io.ts';
import { migration, type Migration } from './migration.ts';
import { csvOf } from './push-staged-run.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** A file as a supplier might send it, and the answer of `push`. */
export interface BadInput {
  /** Id in bad-inputs.md, and a sentence about the input: the message of a failure. */
  readonly says: string;
  readonly resource?: 'notes' | 'transactions' | 'statements' | 'payment-instructions';
  readonly file: string | Uint8Array;
  /** Name of the file; default `input.csv`. */
  readonly name?: string;
  /** Text of a mapping file beside it. */
  readonly map?: string;
  readonly flags?: readonly string[];
  readonly world?: FakeIoOptions;
  /** Codes of the errors, in the order of the file, with line and column. */
  readonly errors: readonly (readonly [code: string, line: number | null, column: number | null])[];
  /** Codes of the warnings, each once. */
  readonly warnings?: readonly string[];
  /** Default: 3 when there are errors, else 0. */
  readonly exit?: number;
  /** Records on the platform afterwards; default: none when there are errors. */
  readonly landed?: number;
}

/** A platform with enough accounts for every bad input. */
export async function badInputSite(): Promise<Migration> {
  return migration(`
version: 1
api_keys: [{key: local-key, suppliers: [ACME, OTHER]}]
suppliers:
  - {code: ACME, name: Acme Energy, status: Ongoing}
  - {code: OTHER, name: Other Energy, status: Ongoing}
accounts:
${[
  ['ACME', '1001'],
  ['ACME', '1002'],
  ['ACME', '00123'],
  ['ACME', '=1+1'],
  ['ACME', 'a1'],
  ['ACME', 'A1'],
  ['ACME', '__proto__'],
  ['ACME', 'constructor'],
  ['OTHER', '1001'],
]
  .map(
    ([supplier, account]) =>
      `  - {import_supplier: ${supplier}, external_account_number: "${account}", state: imported}`,
  )
  .join('\n')}
vendors: [{code: STRIPE, instructions: [{reference: pi_1, type: CARD}, {reference: pi_2, type: CARD}]}]
`);
}

/** Pushes each file and compares the answer with the expected one: exit code, cells, and the records that landed. */
export async function expectAnswers(inputs: readonly BadInput[]): Promise<void> {
  // A refused file leaves the platform empty, so the next one may have it.
  const site = await badInputSite();
  for (const input of inputs)
    await expectAnswer(input, input.errors.length > 0 ? site : await badInputSite());
}

/** The same with one file. */
export async function expectAnswer(input: BadInput, site?: Migration): Promise<void> {
  site ??= await badInputSite();
  const cwd = temporaryFolder();
  const path = join(cwd, input.name ?? 'input.csv');
  writeFileSync(path, input.file);
  if (input.map !== undefined) writeFileSync(`${path}.map.yaml`, input.map);
  const argv = ['push', input.resource ?? 'transactions', path, ...(input.flags ?? []), '--json'];
  const { exitCode, json, stderr } = await site.cliIn({ cwd, ...input.world }, ...argv);
  const problems = (json()['problems'] ?? []) as {
    readonly code: string;
    readonly severity: string;
    readonly line?: number | null;
    readonly column?: number | null;
  }[];
  const errors = problems.filter(({ severity }) => severity === 'error');
  const warnings = new Set(problems.filter(({ severity }) => severity === 'warning').map(({ code }) => code));
  expect(
    {
      errors: errors.map(({ code, line, column }) => [code, line ?? null, column ?? null]),
      warnings: [...warnings],
      exit: exitCode,
    },
    input.says,
  ).toEqual({
    errors: input.errors,
    warnings: input.warnings ?? [],
    exit: input.exit ?? (input.errors.length > 0 ? 3 : 0),
  });
  if (input.errors.length > 0) expect(stderr, input.says).toMatch(/^(help|next): ./m);
  if (input.errors.length > 0 || input.landed !== undefined)
    expect(await site.ledger(), input.says).toHaveLength(input.landed ?? 0);
}

type Cells = Readonly<Record<string, string>>;

/** CSV text of right transactions with these cells changed; each argument is one row. */
export function transactions(...rows: readonly Cells[]): string {
  return csvOf(
    rows.map((row, index) => ({
      import_supplier: 'ACME',
      external_account_number: '1001',
      transaction_id: `T-${index + 1}`,
      transaction_date: '2026-02-01',
      type: 'CREDIT',
      amount: '10.00',
      ...row,
    })),
  );
}

/** CSV text of right notes with these cells changed. */
export function notes(...rows: readonly Cells[]): string {
  return csvOf(
    rows.map((row, index) => ({
      import_supplier: 'ACME',
      external_account_number: '1001',
      body: `Note ${index + 1}`,
      created_at: '2026-01-05T10:00:00Z',
      ...row,
    })),
  );
}

/** CSV text of right statements with these cells changed. */
export function statements(...rows: readonly Cells[]): string {
  return csvOf(
    rows.map((row, index) => ({
      import_supplier: 'ACME',
      external_account_number: '1001',
      statement_id: `S-${index + 1}`,
      bill_period_from_date: '2025-01-01',
      bill_period_to_date: '2025-01-31',
      gross_amount: '5324',
      ...row,
    })),
  );
}

/** CSV text of right payment instructions with these cells changed. */
export function instructions(...rows: readonly Cells[]): string {
  return csvOf(
    rows.map((row) => ({
      import_supplier: 'ACME',
      external_account_number: '1001',
      vendor: 'STRIPE',
      reference: 'pi_1',
      type: 'CARD',
      ...row,
    })),
  );
}

/** A mapping of the columns of these transactions, with the keys of `source` as a YAML flow. */
export function mappedTransactions(source: string): string {
  return `version: 1
resource: transactions
source: {${source}}
fields:
  import_supplier: import_supplier
  external_account_number: external_account_number
  transaction_id: transaction_id
  transaction_date: transaction_date
  type: type
  amount: amount
`;
}
