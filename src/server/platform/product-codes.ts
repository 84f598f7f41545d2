import type { Transaction } from '../../core/contract/transaction.ts';
import { rule } from '../../core/rules/rule.ts';
import type { Platform } from './platform.ts';

export const hasProduct = rule(
  {
    name: 'product-code-exists',
    authority: 'observed',
    source: 'deployments.md, "Rules named by deployments"; the list: docs/serve.md',
    says: 'A product_code is one of those of the platform; without a list every code is.',
    tested: 'server/routes/transaction-faults › 4.3: a transaction with $fault is a TRANSACTION_IMPORT_ERROR',
    codes: ['product_code_does_not_exist'],
  },
  ({ product_code }: Transaction, { store }: Platform): boolean =>
    product_code === undefined || store.productCodes.has(product_code),
);
