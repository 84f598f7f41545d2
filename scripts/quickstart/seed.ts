import { SUPPLIER } from './accounts.ts';
import type { Account } from './accounts.ts';
import type { Row } from './csv.ts';
import { VENDOR } from './payment-instructions.ts';
import { PRODUCT_CODES } from './products.ts';

/** The instruction for which the vendor cannot be reached at first. It is in the middle, so that others are in flight. */
const INTERMITTENT_INDEX = 19;

/** The content of the local platform before the CSV files are pushed. */
export function seedText(accounts: readonly Account[], instructions: readonly Row[]): string {
  return `version: 1
api_keys: [{ key: local-key, suppliers: [${SUPPLIER}] }]
suppliers: [{ code: ${SUPPLIER}, name: Acme Energy, status: Ongoing, document_root: 's3://migration/acme/' }]
# One account to a line; the formatter would make it five.
# prettier-ignore
accounts:
${accounts.map(accountLine).join('\n')}
# prettier-ignore
vendors:
  - code: ${VENDOR}
    instructions:
${instructions.map(instructionLine).join('\n')}
product_codes: [${PRODUCT_CODES.join(', ')}]
`;
}

/** A quoted text. YAML would read most account numbers as numbers and lose the leading zeros. */
function accountLine(account: Account): string {
  return (
    `  - { import_supplier: ${SUPPLIER}, external_account_number: '${account.number}', ` +
    `state: ${account.state}, open_statement: { from: 2026-01-01, to: 2026-12-31 } }`
  );
}

function instructionLine(instruction: Row, index: number): string {
  const fails = index === INTERMITTENT_INDEX ? ', fails: intermittent, times: 2' : '';
  return `      - { reference: ${instruction.reference}, type: ${instruction.type}${fails} }`;
}
