import { FIELDS_SHOWN_FOR_TYPE, type Transaction } from '../contract/transaction.ts';
import { failure, warning } from '../problem.ts';
import { LINE_ITEM_RULES } from './line-item-rules.ts';
import { compareDecimals, Decimal, distance, sum } from '../values/decimal.ts';
import { rule, type CheckContext, type RecordRule } from './rule.ts';

const FIELDS_OF_EVERY_TYPE = ['transaction_id', 'transaction_date', 'amount', 'type'];
const HALF_A_MINOR_UNIT = Decimal.of('0.005');

const notInFuture: RecordRule<Transaction> = rule(
  {
    name: 'transaction-not-in-future',
    authority: 'observed',
    source: 'deployments.md, "Shapes and bounds"',
    says: 'transaction_date is not after today in the zone of the platform.',
    tested: 'core/rules/record-rules › in the future is told with the day that is today',
    codes: ['transaction_in_future'],
  },
  (transaction: Transaction, { today }: CheckContext) =>
    transaction.transaction_date > today
      ? [failure('transaction_in_future', ['transaction_date'], { today })]
      : [],
);

const fieldsShownForType: RecordRule<Transaction> = rule(
  {
    name: 'transaction-fields-shown-for-type',
    authority: 'chosen',
    source: 'emulator.md, "Decisions where the interface is silent"',
    says: 'A listed field on a type that interface.md 2.4 does not show for it is accepted with a warning.',
    tested:
      'server/routes/transactions › silent: a listed field on a type that 2.4 does not show for it is accepted',
  },
  (transaction: Transaction) => {
    const shown: readonly string[] = FIELDS_SHOWN_FOR_TYPE[transaction.type];
    return Object.keys(transaction)
      .filter((field) => !FIELDS_OF_EVERY_TYPE.includes(field) && !shown.includes(field))
      .map((field) => warning('field_not_shown_for_type', [field]));
  },
);

/** Deployments compare amounts of two decimals with items of up to ten, so half a minor unit is left for rounding. */
const amountIsSumOfItems: RecordRule<Transaction> = rule(
  {
    name: 'supply-charge-amount-is-sum-of-items',
    authority: 'observed',
    source: 'deployments.md, "Rules named by deployments"',
    says: 'The amount of a SUPPLY_CHARGE is the sum of its net amounts and taxes, within half a minor unit.',
    tested: 'core/rules/record-rules › whose items come to 53.24 and whose amount is %s: %s',
    codes: ['ledger_transaction_amount_does_not_match_with_line_item_net_amount_and_tax_amount'],
  },
  (transaction: Transaction) => {
    if (transaction.type !== 'SUPPLY_CHARGE') return [];
    const items = [
      ...(transaction.line_items ?? []).map((item) => item.net_amount),
      ...(transaction.tax_items ?? []).map((item) => item.amount),
    ];
    return compareDecimals(distance(transaction.amount, sum(items)), HALF_A_MINOR_UNIT) > 0
      ? [
          failure('ledger_transaction_amount_does_not_match_with_line_item_net_amount_and_tax_amount', [
            'amount',
          ]),
        ]
      : [];
  },
);

export const TRANSACTION_RULES: readonly RecordRule<Transaction>[] = [
  notInFuture,
  ...LINE_ITEM_RULES,
  amountIsSumOfItems,
  fieldsShownForType,
];
