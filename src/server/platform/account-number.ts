import { createHash } from 'node:crypto';
import type { AccountKey } from '../../core/contract/account.ts';
import { rule } from '../../core/rules/rule.ts';

export const platformAccountNumber = rule(
  {
    name: 'platform-account-number',
    authority: 'chosen',
    source: 'emulator.md, "State"',
    says: 'The platform_account_number is A- and eight hex digits derived from supplier code and account number, so two runs agree; two of very many accounts may share one.',
    tested:
      'server/routes/import-processes › silent: account numbers of the platform agree between two runs and differ between accounts',
  },
  ({ import_supplier, external_account_number }: AccountKey): string => {
    const digest = createHash('sha256')
      .update(JSON.stringify([import_supplier, external_account_number]))
      .digest('hex');
    return `A-${digest.slice(0, 8)}`;
  },
);
