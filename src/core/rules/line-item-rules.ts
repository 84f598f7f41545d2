import type { LineItem, Transaction } from '../contract/transaction.ts';
import { failure, under, type Problem } from '../problem.ts';
import { compareDecimals, Decimal, distance, product } from '../values/decimal.ts';
import type { RecordRule } from './rule.ts';

// deployments.md, "Rules named by deployments".

function lineItemPeriodInOrder(transaction: Transaction): readonly Problem[] {
  return eachLineItem(transaction, ({ start_date, end_date }) =>
    start_date > end_date ? [failure('start_date_later_than_end_date', ['start_date'])] : [],
  );
}

function lineItemHasTwoReadings(transaction: Transaction): readonly Problem[] {
  return eachLineItem(transaction, ({ units }) =>
    units !== undefined && units.length !== 2
      ? [failure('line_item_units_must_be_two_values', ['units'])]
      : [],
  );
}

/** Suppliers round the product, so it may differ by half a unit of the last digit of `net_amount`. */
function lineItemNetAmountIsProduct(transaction: Transaction): readonly Problem[] {
  return eachLineItem(transaction, ({ price_per_unit, number_of_units, net_amount }) => {
    if (price_per_unit === undefined) return [];
    const exact = product(price_per_unit, number_of_units);
    return compareDecimals(distance(net_amount, exact), halfOfLastDigit(net_amount)) > 0
      ? [failure('incorrect_line_item_net_amount', ['net_amount'])]
      : [];
  });
}

export const LINE_ITEM_RULES: readonly RecordRule<Transaction>[] = [
  lineItemPeriodInOrder,
  lineItemHasTwoReadings,
  lineItemNetAmountIsProduct,
];

function eachLineItem(
  { line_items: items = [] }: Transaction,
  check: (item: LineItem) => readonly Problem[],
): readonly Problem[] {
  return items.flatMap((item, index) => check(item).map((problem) => under(['line_items', index], problem)));
}

/** `44` → 0.5, `34.94` → 0.005. */
const halfOfLastDigit = (decimal: Decimal): Decimal => Decimal.of(`0.${'0'.repeat(decimal.places)}5`);
