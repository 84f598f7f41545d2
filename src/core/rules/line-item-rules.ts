import type { LineItem, Transaction } from '../contract/transaction.ts';
import { failure, under, type Problem } from '../problem.ts';
import { compareDecimals, Decimal, distance, product } from '../values/decimal.ts';
import { rule, type Provenance, type RecordRule } from './rule.ts';

const SOURCE = 'deployments.md, "Rules named by deployments"';

const periodInOrder = perLineItem(
  {
    name: 'line-item-period-in-order',
    authority: 'observed',
    source: SOURCE,
    says: 'start_date of a line item does not lie after its end_date.',
    tested: 'core/rules/record-rules › with a line from %s to %s: %s',
    codes: ['start_date_later_than_end_date'],
  },
  (item) =>
    item.start_date > item.end_date ? [failure('start_date_later_than_end_date', ['start_date'])] : [],
);

const twoReadings = perLineItem(
  {
    name: 'line-item-two-readings',
    authority: 'observed',
    source: SOURCE,
    says: 'units of a line item are exactly two readings when given.',
    tested: 'core/rules/record-rules › with the readings %j: %s',
    codes: ['line_item_units_must_be_two_values'],
  },
  (item) =>
    item.units !== undefined && item.units.length !== 2
      ? [failure('line_item_units_must_be_two_values', ['units'])]
      : [],
);

/** Suppliers round the product, so it may differ by half a unit of the last digit that `net_amount` shows. */
const netAmountIsProduct = perLineItem(
  {
    name: 'line-item-net-amount-is-product',
    authority: 'observed',
    source: SOURCE,
    says: 'net_amount is price_per_unit times number_of_units, rounded to the digits of net_amount, when the price is given.',
    tested: 'core/rules/record-rules › of 4 units at 11 has a net amount of %s: %s',
    codes: ['incorrect_line_item_net_amount'],
  },
  (item) => {
    if (item.price_per_unit === undefined) return [];
    const exact = product(item.price_per_unit, item.number_of_units);
    return compareDecimals(distance(item.net_amount, exact), halfOfLastDigit(item.net_amount)) > 0
      ? [failure('incorrect_line_item_net_amount', ['net_amount'])]
      : [];
  },
);

export const LINE_ITEM_RULES: readonly RecordRule<Transaction>[] = [
  periodInOrder,
  twoReadings,
  netAmountIsProduct,
];

function perLineItem(
  provenance: Provenance,
  check: (item: LineItem) => readonly Problem[],
): RecordRule<Transaction> {
  return rule(provenance, (transaction: Transaction) =>
    (transaction.line_items ?? []).flatMap((item, index) =>
      check(item).map((problem) => under(['line_items', index], problem)),
    ),
  );
}

/** `44` → 0.5, `34.94` → 0.005. */
function halfOfLastDigit(decimal: Decimal): Decimal {
  return Decimal.of(`0.${'0'.repeat(decimal.places)}5`);
}
