import type { Decision } from './decision.ts';
import { SILENT } from './sources.ts';

/** What is answered and kept once a request is taken. */
export const ANSWER_DECISIONS: readonly Decision[] = [
  {
    name: 'answers-as-listed',
    authority: 'documented',
    source: 'interface.md 4.2 to 4.7; deployments.md, "Responses", has more',
    says: 'An answer has the fields of the interface and no others: no added_transaction_id, no account_number; no status but those it names. A failing item in a 201, a 429 and what else a deployment may answer come by a fault only.',
    tested: 'server/openapi/openapi › fits the document at every status there is',
    built: 'server/openapi/contract-schemas.ts',
  },
  {
    name: 'note-answer',
    authority: 'documented',
    source: 'interface.md 4.2, 2.3, 3.3',
    says: 'Notes are answered with 201 and one item each, in their order; a note without body has an empty one.',
    tested:
      'server/routes/notes › 4.2: a posted note is created and answered in its place with created_at, body and status',
    built: 'server/routes/notes.ts',
  },
  {
    name: 'document-paths-unopened',
    authority: 'documented',
    source: 'interface.md 2.2',
    says: 'A document path is kept as it is; nothing is opened.',
    tested: 'server/routes/notes › 2.2: a document path is kept as the text that it is and never opened',
    built: 'server/platform/notes.ts',
  },
  {
    name: 'transaction-answer',
    authority: 'documented',
    source: 'interface.md 4.3, 3.3',
    says: 'Transactions are answered with 201 and one result each, in their order, only when none failed; one that exists is shown as it is stored, with the status TRANSACTION_IMPORT_SUCCESS inside.',
    tested: 'server/routes/transactions › 4.3: one result per transaction, with its fields as sent',
    built: 'server/routes/transactions.ts',
  },
  {
    name: 'added-again-without-check',
    authority: 'documented',
    source: 'interface.md 4.3',
    says: 'With check_previously_added=false a transaction is added again; the ledger shows both.',
    tested:
      'server/routes/transactions › 4.3: without the check a transaction is added again, and the ledger shows both',
    built: 'server/platform/transactions.ts',
  },
  {
    name: 'statement-answer',
    authority: 'documented',
    source: 'interface.md 4.4',
    says: 'Statements are answered with the validated data.',
    tested: 'server/routes/statements › 4.4: 201 with the validated data as the body',
    built: 'server/routes/statements.ts',
  },
  {
    name: 'statement-status',
    authority: 'chosen',
    source: SILENT,
    says: 'The status of stored statements is 201; --statements-status 200 answers the other one that the interface names.',
    tested: 'server/options/behaviour › --statements-status %i is what stored statements answer',
    built: 'server/routes/statements.ts',
  },
  {
    name: 'instruction-answer',
    authority: 'documented',
    source: 'interface.md 4.5',
    says: 'A created instruction is answered with 201, platform_account_number and reference.',
    tested:
      'server/routes/payment-instructions › 4.5: 201 with the account number of the platform and the reference',
    built: 'server/routes/payment-instruction.ts',
  },
  {
    name: 'instruction-refused',
    authority: 'observed',
    source: 'deployments.md, "Responses"',
    says: 'What vendor or account object to is {error_detail, external_account_number, import_supplier, reference}, with 400 and with 500.',
    tested:
      'server/routes/payment-instructions › 4.5: 400 for a persistent failure to reach the vendor, however often it is tried',
    built: 'server/routes/payment-instruction.ts',
  },
  {
    name: 'instruction-code-in-text',
    authority: 'chosen',
    source: 'docs/serve.md',
    says: 'error_detail ends with the code in parentheses, because its shape has no place for one.',
    tested: 'server/routes/payment-instructions › 4.5: 400 for $what: the vendor has no such instruction',
    built: 'server/routes/payment-instruction.ts',
  },
  {
    name: 'unknown-vendor',
    authority: 'chosen',
    source: 'docs/serve.md',
    says: 'A vendor that the seed does not name is a 400 at vendor.',
    tested: 'server/routes/payment-instructions › silent: an unknown vendor is an invalid choice',
    codes: ['invalid_choice'],
    built: 'server/routes/payment-instruction.ts',
  },
  {
    name: 'one-transaction-per-post',
    authority: 'chosen',
    source: 'emulator.md, "State"',
    says: 'A POST is judged and stored in one transaction of the database and answered when that is on disk.',
    tested:
      'server/store/store › a commit is on disk before it is answered: write-ahead log, full synchronisation, foreign keys',
    built: 'server/routes/record-route.ts',
  },
  {
    name: 'balance-signs',
    authority: 'chosen',
    source: 'emulator.md, "The page"; which types: docs/operating.md, docs/serve.md',
    says: 'The balance on the timeline of an account is what the customer owes: CHARGE, SUPPLY_CHARGE and REPAYMENT raise it, CREDIT and PAYMENT lower it, in the order of transaction_date and then of storage.',
    tested:
      'server/routes/admin/operating › show what they hold: pinned notes first, transactions by date with the balance after each',
    built: 'server/routes/admin/account-timeline.ts',
  },
  {
    name: 'world-of-a-key',
    authority: 'chosen',
    source: 'emulator.md, "Admin API"',
    says: 'With --isolate each API key has a world of its own with data, clock, faults and log, and any key is taken.',
    tested:
      'server/tenants/isolation › is made by the first use of its key, whichever that is, and begins as the seed says',
    codes: ['world_key_invalid', 'worlds_exhausted'],
    built: 'server/tenants/tenants.ts',
  },
  {
    name: 'unexpected-failure',
    authority: 'documented',
    source: 'interface.md 7.2 (code: deployments.md)',
    says: 'An unexpected error is a 500; it says nothing about the inside.',
    tested:
      'server/pipeline/guards › 7.2: an unexpected failure is a 500 without a word about the inside, and the server goes on',
    codes: ['error'],
    built: 'server/pipeline/dispatch.ts',
  },
];
