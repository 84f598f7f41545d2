import type { Transaction } from '../../core/contract/transaction.ts';
import { failure, type Problem } from '../../core/problem.ts';
import { rule } from '../../core/rules/rule.ts';
import type { StoredAccount } from '../store/accounts.ts';
import type { Platform } from './platform.ts';

export const chargedAlready = rule(
  {
    name: 'periods-charged-once',
    authority: 'observed',
    source: 'deployments.md, "Rules named by deployments"; what counts as the same: docs/serve.md',
    says: 'With --rule line_items_overlap_already_charged_period a line item of a SUPPLY_CHARGE does not overlap one of an earlier transaction with the same product_code and rate_band; sharing a last or first day is no overlap.',
    tested:
      'server/platform/extra-rules › line_items_overlap_already_charged_period: a charge that $what: $overlaps',
    codes: ['line_items_overlap_already_charged_period'],
  },
  (transaction: Transaction, account: StoredAccount, { store }: Platform): readonly Problem[] =>
    (transaction.line_items ?? []).flatMap((item, index) =>
      store.records.isCharged({
        accountId: account.id,
        productCode: transaction.product_code ?? '',
        rateBand: item.rate_band ?? '',
        from: item.start_date,
        to: item.end_date,
      })
        ? [failure('line_items_overlap_already_charged_period', ['line_items', index, 'start_date'])]
        : [],
    ),
);
