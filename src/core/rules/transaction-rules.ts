import { FIELDS_SHOWN_FOR_TYPE, type Transaction, type LineItem } from '../contract/transaction.ts';
import { failure, warning, type Facts, type Problem, under } from '../problem.ts';
import { compareDecimals, Decimal, distance, sum, product } from '../values/decimal.ts';
import type { CheckContext, RecordRule } from './rule.ts';

const FIELDS_OF_EVERY_TYPE = ['transaction_id', 'transaction_date', 'amount', 'type'];
/** The fields of `FIELDS_SHOWN_FOR_TYPE` with those of every type, as sets for a lookup in each record. */
const SHOWN: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries(FIELDS_SHOWN_FOR_TYPE).map(([type, fields]) => [
    type,
    new Set<string>([...FIELDS_OF_EVERY_TYPE, ...fields]),
  ]),
);

const HALF_A_MINOR_UNIT = Decimal.of('0.005');

/** deployments.md, "Shapes and bounds". */
function transactionNotInFuture(transaction: Transaction, { today }: CheckContext): readonly Problem[] {
  return transaction.transaction_date > today
    ? [failure('transaction_in_future', ['transaction_date'], { today })]
    : NONE;
}

/** Warns of a listed field that interface.md 2.4 does not show for the type of the transaction. */
export function fieldsShownForType(transaction: Transaction): readonly Problem[] {
  const shown = SHOWN.get(transaction.type)!;
  let found = NONE;
  for (const field of Object.keys(transaction)) {
    if (shown.has(field)) continue;
    const facts = { what: `not a field of a ${transaction.type}`, known: 'the fields of its type' };
    found = [...found, warning('undocumented_value', [field], facts)];
  }
  return found;
}

/**
 * Deployments compare an amount of two decimals with items of up to ten decimals, so half a minor unit is left for rounding
 * (deployments.md, "Rules named by deployments").
 */
function supplyChargeAmountIsSumOfItems(transaction: Transaction): readonly Problem[] {
  if (transaction.type !== 'SUPPLY_CHARGE') return NONE;
  const { amount: stated, line_items: lines = [], tax_items: taxes = [] } = transaction;
  const parts: Decimal[] = [];
  for (const { net_amount } of lines) parts.push(net_amount);
  for (const { amount } of taxes) parts.push(amount);
  const right = sum(parts);
  if (compareDecimals(distance(stated, right), HALF_A_MINOR_UNIT) <= 0) return NONE;
  const code = 'ledger_transaction_amount_does_not_match_with_line_item_net_amount_and_tax_amount';
  return [failure(code, ['amount'], factorBetween(stated, right, HALF_A_MINOR_UNIT))];
}

// deployments.md, "Rules named by deployments".

function lineItemPeriodInOrder(transaction: Transaction): readonly Problem[] {
  return eachLineItem(transaction, ({ start_date, end_date }) =>
    start_date > end_date ? [failure('start_date_later_than_end_date', ['start_date'])] : NONE,
  );
}

function lineItemHasTwoReadings(transaction: Transaction): readonly Problem[] {
  return eachLineItem(transaction, ({ units }) =>
    units !== undefined && units.length !== 2
      ? [failure('line_item_units_must_be_two_values', ['units'])]
      : NONE,
  );
}

/** Suppliers round the product, so it may differ by half a unit of the last digit of `net_amount`. */
function lineItemNetAmountIsProduct(transaction: Transaction): readonly Problem[] {
  return eachLineItem(transaction, ({ price_per_unit, number_of_units, net_amount }) => {
    if (price_per_unit === undefined) return NONE;
    const exact = product(price_per_unit, number_of_units);
    const half = halfOfLastDigit(net_amount);
    return compareDecimals(distance(net_amount, exact), half) > 0
      ? [failure('incorrect_line_item_net_amount', ['net_amount'], factorBetween(net_amount, exact, half))]
      : NONE;
  });
}

function eachLineItem(
  { line_items: items = [] }: Transaction,
  check: (item: LineItem) => readonly Problem[],
): readonly Problem[] {
  let found = NONE;
  for (const [index, item] of items.entries())
    for (const problem of check(item)) found = [...found, under(['line_items', index], problem)];
  return found;
}

/** Most records have no problem, and need no list for them. */
const NONE: readonly Problem[] = [];

/** That a number is a hundred times another, or a hundredth of it, but for what was rounded; no facts when it is not. */
function factorBetween(stated: Decimal, right: Decimal, rounding: Decimal): Facts {
  const isAbout = (small: Decimal, large: Decimal, times: Decimal): boolean =>
    compareDecimals(distance(product(small, HUNDRED), large), product(rounding, times)) <= 0;
  if (right.isZero || stated.isZero) return {};
  if (isAbout(stated, right, HUNDRED)) return { factor: '; it is a hundredth of that', remedy: MINOR_UNITS };
  return isAbout(right, stated, ONE) ? { factor: '; it is 100 times that', remedy: MINOR_UNITS } : {};
}

const [ONE, HUNDRED] = [Decimal.of('1'), Decimal.of('100')];
const MINOR_UNITS =
  'Where one of them is in pence or cents, say `unit: minor` for it, or take `price * 0.01` in a query (docs/mapping-recipes.md). Else correct the row.';

/** `44` → 0.5, `34.94` → 0.005. */
const halfOfLastDigit = ({ places }: Decimal): Decimal => Decimal.ofUnits(5, places + 1);

export const TRANSACTION_RULES: readonly RecordRule<Transaction>[] = [
  transactionNotInFuture,
  lineItemPeriodInOrder,
  lineItemHasTwoReadings,
  lineItemNetAmountIsProduct,
  supplyChargeAmountIsSumOfItems,
  fieldsShownForType,
];
