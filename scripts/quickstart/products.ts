import { dayOf } from './calendar.ts';
import type { Day } from './calendar.ts';

/** The decimal places of every price below. */
export const PRICE_PLACES = 5;

interface Price {
  readonly from: Day;
  /** Pounds per kWh in steps of 10^-5. */
  readonly perUnit: bigint;
}

/**
 * Prices by product, oldest first. FLEX-12 changes every quarter, so a bill over the change has two line items.
 * A price of exactly 0.25 makes net amounts that end in half a penny, which careless rounding gets wrong.
 */
const PRODUCTS = {
  'FLEX-12': [
    { from: dayOf(2026, 1, 1), perUnit: 24_860n },
    { from: dayOf(2026, 4, 1), perUnit: 25_000n },
    { from: dayOf(2026, 7, 1), perUnit: 25_738n },
    { from: dayOf(2026, 10, 1), perUnit: 26_351n },
  ],
  'FIXED-24': [{ from: dayOf(2026, 1, 1), perUnit: 23_750n }],
} as const satisfies Record<string, readonly Price[]>;

export type ProductCode = keyof typeof PRODUCTS;

export const PRODUCT_CODES = Object.keys(PRODUCTS);

export interface PricedPeriod {
  readonly first: Day;
  readonly last: Day;
  readonly perUnit: bigint;
}

/** The parts of a period, cut where the price changes. They touch and do not overlap. */
export function pricedPeriods(product: ProductCode, first: Day, last: Day): readonly PricedPeriod[] {
  const prices: readonly Price[] = PRODUCTS[product];
  return prices
    .map((price, index) => ({
      first: Math.max(first, price.from),
      last: Math.min(last, (prices[index + 1]?.from ?? last + 1) - 1),
      perUnit: price.perUnit,
    }))
    .filter((period) => period.first <= period.last);
}
