import { Decimal, textOfUnits } from './decimal.ts';

/** Units that a float keeps, and so it does the sum of two such numbers. */
const SAFE_UNITS = 10 ** 15;

/** Most by which a portion may grow before it is moved to its `bigint`: the next number cannot leave the safe integers. */
const PORTION_LIMIT = Number.MAX_SAFE_INTEGER - SAFE_UNITS;

/** The sum of the decimals with one number of places, in units of the last place: `large` plus `small`. */
type Portion = { large: bigint; small: number };

/**
 * The exact sum of many decimals, as `sum` gives it, added up one after the other in whole numbers of their last places.
 * It takes a tenth of the time of big.js.
 */
export class DecimalSum {
  /** By the number of places. */
  private readonly portions: (Portion | undefined)[] = [];

  add(decimal: Decimal): void {
    const portion = (this.portions[decimal.places] ??= { large: 0n, small: 0 });
    if (Math.abs(decimal.units) > SAFE_UNITS) portion.large += BigInt(decimal.text.replace('.', ''));
    else {
      portion.small += decimal.units;
      if (Math.abs(portion.small) > PORTION_LIMIT) carry(portion);
    }
  }

  /** The sum so far, with as many places as its longest part; null when nothing was added. */
  get total(): Decimal | null {
    if (this.portions.length === 0) return null;
    const places = this.portions.length - 1;
    let units = 0n;
    this.portions.forEach((portion, at) => {
      if (!portion) return;
      carry(portion);
      units += portion.large * 10n ** BigInt(places - at);
    });
    return Decimal.of(textOfUnits(units, places));
  }
}

function carry(portion: Portion): void {
  portion.large += BigInt(portion.small);
  portion.small = 0;
}
