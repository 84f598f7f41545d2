// node scripts/generate-quickstart.ts [outDir]
//
// Writes fixtures/quickstart: made-up data of one supplier, with the same bytes on every run. A change of the fixture is a
// change of this generator, and can be reviewed as such.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeAccounts } from './quickstart/accounts.ts';
import { csvText } from './quickstart/csv.ts';
import { NOTE_COLUMNS, makeNotes } from './quickstart/notes.ts';
import { PAYMENT_INSTRUCTION_COLUMNS, makePaymentInstructions } from './quickstart/payment-instructions.ts';
import { readmeText } from './quickstart/readme.ts';
import { seedText } from './quickstart/seed.ts';
import { STATEMENT_COLUMNS, makeStatements } from './quickstart/statements.ts';
import { TRANSACTION_COLUMNS, makeTransactions } from './quickstart/transactions.ts';

const accounts = makeAccounts();
const imported = accounts.filter((account) => account.state === 'imported');

const transactions = makeTransactions(imported);
const notes = makeNotes(imported);
const statements = makeStatements(imported);
const instructions = makePaymentInstructions(imported);

const files = {
  'seed.yaml': seedText(accounts, instructions),
  'transactions.csv': csvText(TRANSACTION_COLUMNS, transactions),
  'notes.csv': csvText(NOTE_COLUMNS, notes),
  'statements.csv': csvText(STATEMENT_COLUMNS, statements, { byteOrderMark: true }),
  'payment-instructions.csv': csvText(PAYMENT_INSTRUCTION_COLUMNS, instructions, { newline: '\r\n' }),
  'README.md': readmeText({ accounts, transactions, notes, statements, instructions }),
  // Without it a checkout on Windows would change the newlines, which are part of the fixture.
  '.gitattributes': '* -text\n',
};

const outDir = process.argv[2] ?? join(import.meta.dirname, '..', 'fixtures', 'quickstart');
mkdirSync(outDir, { recursive: true });
for (const [name, text] of Object.entries(files)) writeFileSync(join(outDir, name), text);
