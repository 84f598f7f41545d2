import { chanceFrom, type Chance } from './chance.ts';
import type { OracleAccounts, OracleFile } from './oracle/oracle.ts';
import type { OracleResource } from './oracle/records.ts';
import type { OpenPeriod } from './oracle/rules.ts';

/** How large a migration is. */
export interface MigrationSize {
  readonly accounts: number;
  /** At most, for each account. */
  readonly notes: number;
  readonly transactions: number;
  readonly statements: number;
}

/** Small files of all four resources, and their platform. */
export interface Migration {
  /** In the order of pushing. */
  readonly files: readonly OracleFile[];
  readonly accounts: OracleAccounts;
  /** Seed file of a local platform with these accounts. */
  readonly seed: string;
  readonly apiKey: string;
  /** Text of cells that may occur nowhere else. */
  readonly canary: string;
}

type Row = Readonly<Record<string, string>>;

const SUPPLIER = 'ACME';

/** The migration of a seed. */
export function generatedMigration(seed: number, size: MigrationSize): Migration {
  const chance = chanceFrom(seed);
  const mark = chance
    .below(2 ** 31)
    .toString(36)
    .padStart(6, 'q');
  const canary = `kanarie${mark}`;
  const accounts = new Map(
    Array.from({ length: size.accounts }, (_, index) => [`00${7001 + index}`, periodOf(chance)] as const),
  );
  const rowsOf = (resource: OracleResource, most: number): Row[] => {
    const waiting = [...accounts.keys()].flatMap((account) =>
      Array.from({ length: 1 + chance.below(most) }, () => account),
    );
    return shuffled(waiting, chance).map((account, number) => ({
      import_supplier: SUPPLIER,
      external_account_number: account,
      ...MAKERS[resource]({ number, canary, chance }),
    }));
  };
  const files: OracleFile[] = [
    { resource: 'notes', text: csvText(rowsOf('notes', size.notes)) },
    { resource: 'transactions', text: csvText(rowsOf('transactions', size.transactions)) },
    { resource: 'statements', text: csvText(rowsOf('statements', size.statements)) },
    { resource: 'payment-instructions', text: csvText(rowsOf('payment-instructions', 1)) },
  ];
  const apiKey = `kanarieSchluessel${mark}`;
  return { files, accounts, seed: seedText(accounts, apiKey), apiKey, canary };
}

interface Making {
  readonly number: number;
  readonly canary: string;
  readonly chance: Chance;
}

const MAKERS: Readonly<Record<OracleResource, (making: Making) => Row>> = {
  notes: ({ number, canary, chance }) => {
    // Few bodies and few moments, so that notes of one account are often equal.
    const bodies = [
      `Called, ${canary}`,
      // Three bytes a character.
      '伝言を残しました。折り返しお電話ください。',
      `Asked "why?"\nand ${canary}, too`,
      `No ${number}`,
    ];
    const moments = [
      [''],
      ['2025-03-05T18:48:16Z', '2025-03-05T19:48:16+01:00'],
      [`2025-04-0${1 + (number % 9)}T07:00:00Z`],
    ];
    const body = chance.below(bodies.length);
    const moment = chance.below(moments.length);
    // The other fields follow from body and moment, because the client refuses notes that differ only in them.
    const isPinned = ['', 'true', 'false'][(body + moment) % 3]!;
    const document = body === moment ? `letters/${body}.pdf` : '';
    return {
      body: bodies[body]!,
      created_at: chance.pick(moments[moment]!),
      is_pinned: isPinned,
      'document_paths.0.document_path': document,
    };
  },
  transactions: (making) => transactionRow(making),
  statements: ({ number, chance }) => ({
    statement_id: `S-${number}`,
    number: chance.pick(['', `INV-${number}`]),
    bill_period_from_date: '2025-01-01',
    bill_period_to_date: '2025-03-31',
    issued_date: chance.pick(['', '2025-04-04']),
    // The sum of ten of them has more digits than a float keeps.
    gross_amount: String(999_999_999_900_000 + chance.below(90_000)),
    statement_path: chance.pick(['', `statements/S-${number}.pdf`]),
  }),
  'payment-instructions': ({ number }) => ({ vendor: 'STRIPE', reference: `pi_${number}`, type: 'CARD' }),
};

function transactionRow({ number, canary, chance }: Making): Row {
  const base = { transaction_id: `T-${number}`, transaction_date: chance.pick(DATES) };
  const amount = `${chance.below(900)}.${String(1 + chance.below(99)).padStart(2, '0')}`;
  const type = chance.pick(['CHARGE', 'CREDIT', 'PAYMENT', 'SUPPLY_CHARGE']);
  if (type !== 'SUPPLY_CHARGE') {
    const note = chance.pick(['', `by ${canary}`]);
    return { ...base, type, amount: chance.pick([amount, `${chance.below(90) + 1}`]), note };
  }
  const tax = [
    { amount: '@9.24', tax_type: 'VAT', value_taxed: '@44', rate: '@0.21', unit_type: 'PROPORTION' },
  ];
  return {
    ...base,
    type,
    amount: '53.24',
    product_code: 'FLAT',
    'line_items.0.start_date': '2025-12-01',
    'line_items.0.end_date': '2025-12-31',
    'line_items.0.number_of_units': '4',
    'line_items.0.price_per_unit': '11',
    'line_items.0.net_amount': '44.00',
    tax_items: JSON.stringify(tax).replaceAll(/"@([\d.]+)"/g, '$1'),
  };
}

/** Dates inside, before and after the open periods. */
const DATES = ['2025-11-30', '2026-01-05', '2026-02-14', '2026-05-05', '2026-09-30'];

function periodOf(chance: Chance): OpenPeriod | undefined {
  return chance.pick([
    undefined,
    { from: '2026-01-01', to: '2026-06-30' },
    { from: '2025-01-01', to: '2026-12-31' },
  ]);
}

function shuffled<T>(items: readonly T[], chance: Chance): readonly T[] {
  const left = [...items];
  return items.map(() => left.splice(chance.below(left.length), 1)[0]!);
}

function csvText(rows: readonly Row[]): string {
  const header = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const cell = (text: string): string => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const lines = [header, ...rows.map((row) => header.map((name) => row[name] ?? ''))];
  return lines.map((cells) => `${cells.map(cell).join(',')}\n`).join('');
}

function seedText(accounts: OracleAccounts, apiKey: string): string {
  const lines = [...accounts].map(([number, open]) => {
    const period = open ? `, open_statement: { from: ${open.from}, to: ${open.to} }` : '';
    return `  - { import_supplier: ${SUPPLIER}, external_account_number: '${number}', state: imported${period} }`;
  });
  return [
    'version: 1',
    `api_keys: [{ key: ${apiKey}, suppliers: [${SUPPLIER}] }]`,
    `suppliers: [{ code: ${SUPPLIER}, name: Acme, status: Ongoing }]`,
    'accounts:',
    ...lines,
    'vendors:',
    '  - code: STRIPE',
    '    instructions:',
    ...lines.map(
      (_, index) =>
        `      - { reference: pi_${index}, type: CARD${index % 5 === 4 ? ', fails: intermittent, times: 1' : ''} }`,
    ),
    '',
  ].join('\n');
}
