import type { Account } from './accounts.ts';
import type { Row } from './csv.ts';

interface Made {
  readonly accounts: readonly Account[];
  readonly transactions: readonly Row[];
  readonly notes: readonly Row[];
  readonly statements: readonly Row[];
  readonly instructions: readonly Row[];
}

/** The text of README.md, with counts of the generated rows. */
export function readmeText(made: Made): string {
  const { accounts, transactions, notes, statements, instructions } = made;
  const staged = accounts.filter((account) => account.state === 'staged');
  return `# Quickstart

A small migration of one made-up supplier. \`seed.yaml\` has the content of the platform before, and four CSV exports
are pushed into it. Every row is valid and every row lands. Headers are the field names of the interface, so no mapping
file is needed. An empty cell means that the field is left out.

${table([
  ['File', 'Rows', 'Accounts', 'Order', 'Bytes'],
  fileLine('transactions.csv', transactions, 'by date', 'LF'),
  fileLine('notes.csv', notes, 'by time', 'LF, also inside quotes'),
  fileLine('statements.csv', statements, 'by period', 'LF, byte order mark'),
  fileLine('payment-instructions.csv', instructions, 'none', 'CRLF'),
])}

\`seed.yaml\` has ${accounts.length - staged.length} imported accounts and ${staged.length} that are only staged (${staged.map((account) => account.number).join(', ')});
no row is for a staged account. The rows of an account are scattered over the whole file.

${table([['Transaction type', 'Rows', 'Sum of amounts'], ...transactionLines(transactions)])}

Worth knowing:

- Amounts of transactions are pounds. \`gross_amount\` of statements is pence.
- ${count(transactions, 'line_items.1.rate_band')} supply charges have a second line item, because the price changed within the period.
- ${transactions.filter((row) => row.amount?.startsWith('-')).length} charges and credits are negative, because they are reversals.
- ${count(notes, 'document_paths.0.document_path')} notes have documents, ${notes.filter((row) => row.body === '').length} of them no text; ${notes.filter((row) => row.is_pinned === 'true').length} notes are pinned, ${count(notes, 'unpin_at')} of them for a time;
  ${notes.filter((row) => row.created_at === '').length} have no \`created_at\`.
- For one payment instruction the vendor cannot be reached the first two times (\`fails: intermittent\`), so a run shows
  retries and still ends well.

Push one file to a local platform:

\`\`\`sh
dataimport serve --seed fixtures/quickstart/seed.yaml
dataimport push transactions fixtures/quickstart/transactions.csv
\`\`\`

\`expected.yaml\` has the expected result of pushing the four files. \`dataimport replay fixtures/quickstart\` compares it, and
\`--update\` writes it. Everything else in this folder is generated, this page too. Do not edit it. Change
\`scripts/generate-quickstart.ts\` and run:

\`\`\`sh
npm run generate:quickstart
\`\`\`
`;
}

function fileLine(name: string, rows: readonly Row[], order: string, bytes: string): string[] {
  const accounts = new Set(rows.map((row) => row.external_account_number));
  return [`\`${name}\``, String(rows.length), String(accounts.size), order, bytes];
}

function transactionLines(rows: readonly Row[]): string[][] {
  const types = [...new Set(rows.map((row) => row.type ?? ''))].sort();
  return types.map((type) => {
    const amounts = rows.filter((row) => row.type === type).map((row) => row.amount ?? '');
    const pence = amounts.reduce((sum, amount) => sum + BigInt(amount.replace('.', '')), 0n).toString();
    return [type, String(amounts.length), `${pence.slice(0, -2)}.${pence.slice(-2)}`];
  });
}

function count(rows: readonly Row[], column: string): number {
  return rows.filter((row) => (row[column] ?? '') !== '').length;
}

/** A table, padded as the formatter pads it. */
function table(lines: readonly (readonly string[])[]): string {
  const [head = [], ...rest] = lines;
  const widths = head.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  const rule = widths.map((width) => '-'.repeat(width));
  const row = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  return [head, rule, ...rest].map(row).join('\n');
}
