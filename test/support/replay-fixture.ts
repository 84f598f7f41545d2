import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Files of a small fixture folder: three bookings of two accounts, and the expectation. */
export const SMALL_FIXTURE = {
  'seed.yaml': `version: 1
api_keys: [{ key: local-key }]
suppliers: [{ code: ACME, name: Acme Energy, status: Ongoing }]
accounts:
  - { import_supplier: ACME, external_account_number: '1', state: imported }
  - { import_supplier: ACME, external_account_number: '2', state: imported }
`,
  'transactions.csv': `import_supplier,external_account_number,transaction_id,transaction_date,amount,type
ACME,1,t-1,2026-02-01,10.00,CHARGE
ACME,1,t-2,2026-02-02,2.50,CREDIT
ACME,2,t-3,2026-02-03,7.25,CHARGE
`,
  'expected.yaml': `version: 1
# Long after the last booking.
today: 2026-11-21
steps:
  # Everything lands.
  - command: push transactions transactions.csv
    exit: OK
    rows: { read: 3, created: 3 }
    control_totals:
      - { type: CHARGE, count: 2, read: '17.25', accepted: '17.25' }
      - { type: CREDIT, count: 1, read: '2.50', accepted: '2.50' }
    problems: []
    problems_total: 0
ledger:
  - { kind: transaction, type: CHARGE, count: 2, sum: '17.25', content: 7ac3035c14d2e010 }
  - { kind: transaction, type: CREDIT, count: 1, sum: '2.50', content: 62942d727321e378 }
`,
} as const;

/** Writes a fixture folder. `changed` replaces or adds files; null leaves a file out. */
export function writeFixture(folder: string, changed: Readonly<Record<string, string | null>> = {}): void {
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries({ ...SMALL_FIXTURE, ...changed })) {
    if (text !== null) writeFileSync(join(folder, name), text);
  }
}
