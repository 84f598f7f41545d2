import type { Account } from './accounts.ts';
import { dayOf, isoDate, monthOf, spokenDate } from './calendar.ts';
import type { Day } from './calendar.ts';
import type { Row } from './csv.ts';
import { decimal, roundHalfUp } from './decimal.ts';
import type { Dice } from './dice.ts';
import { FIRST_DAY, LAST_DAY, inPounds, isInTime } from './posting.ts';
import type { Posting } from './posting.ts';
import { PRICE_PLACES, pricedPeriods } from './products.ts';
import type { PricedPeriod } from './products.ts';

const UNIT_PLACES = 1;
const RATE_PLACES = 2;

/** Use in per cent of the mean, January first. */
const SEASON = [135, 130, 115, 100, 85, 75, 70, 70, 80, 100, 120, 130] as const;

interface LineItem {
  readonly period: PricedPeriod;
  readonly unitTenths: number;
  /** Meter readings at both ends in tenths of a kWh. Their difference is billed. */
  readonly readings: readonly [number, number];
  readonly netPence: bigint;
}

/** The bills of an account, oldest first. Their periods never overlap. */
export function supplyCharges(account: Account, dice: Dice): readonly Posting[] {
  let reading = dice.int(8_000, 640_000);
  return billingPeriods(account, dice).map(([first, last]) => {
    const items = pricedPeriods(account.product, first, last).map((period) => {
      const item = lineItem(account, period, reading, dice);
      reading = item.readings[1];
      return item;
    });
    return supplyCharge(account, items, last + dice.int(1, 3), dice.chance(12));
  });
}

function billingPeriods(account: Account, dice: Dice): readonly (readonly [Day, Day])[] {
  const weekly = account.habit === 'top_up';
  const cycleDay = dice.int(5, 24);
  const starts: Day[] = weekly
    ? Array.from({ length: 43 }, (_, week) => FIRST_DAY + week * 7)
    : Array.from({ length: 11 }, (_, month) => dayOf(2026, 1 + month, cycleDay));
  return starts
    .slice(1)
    .map((next, index): readonly [Day, Day] => [starts[index] ?? next, next - 1])
    .filter(([, last]) => last + 3 <= LAST_DAY);
}

function lineItem(account: Account, period: PricedPeriod, reading: number, dice: Dice): LineItem {
  const days = period.last - period.first + 1;
  const season = SEASON[monthOf(period.first) - 1] ?? 100;
  const unitTenths = Math.floor((account.dailyTenths * days * season * dice.int(88, 112)) / 10_000);
  const exact = period.perUnit * BigInt(unitTenths);
  return {
    period,
    unitTenths,
    readings: [reading, reading + unitTenths],
    netPence: roundHalfUp(exact, PRICE_PLACES + UNIT_PLACES, 2),
  };
}

function supplyCharge(account: Account, items: readonly LineItem[], day: Day, estimated: boolean): Posting {
  const valueTaxed = items.reduce((sum, item) => sum + item.netPence, 0n);
  const rate = account.business ? 20n : 5n;
  const tax = roundHalfUp(valueTaxed * rate, 2 + RATE_PLACES, 2);
  const posting: Posting = {
    account: account.number,
    day,
    type: 'SUPPLY_CHARGE',
    pence: valueTaxed + tax,
    cells: {
      display_note: displayNote(items, estimated),
      product_code: account.product,
      ...Object.assign({}, ...items.map((item, index) => lineItemCells(item, index, estimated))),
      // Written by hand: JSON.stringify would need the amounts as floats and would drop the second decimal.
      tax_items:
        `[{"amount":${inPounds(tax)},"tax_type":"VAT","value_taxed":${inPounds(valueTaxed)},` +
        `"rate":${decimal(rate, RATE_PLACES)},"unit_type":"PROPORTION"}]`,
    },
  };
  if (!isInTime(posting)) throw new Error(`bill of ${account.number} on ${isoDate(day)}`);
  return posting;
}

function displayNote(items: readonly LineItem[], estimated: boolean): string {
  const days = items.flatMap(({ period }) => [period.first, period.last]);
  const period = `${spokenDate(Math.min(...days))} to ${spokenDate(Math.max(...days))}`;
  return `Electricity, ${period}${estimated ? ' (estimated)' : ''}`;
}

/** An estimated bill has no readings to show. */
function lineItemCells(item: LineItem, index: number, estimated: boolean): Row {
  const at = `line_items.${index}`;
  const readings = item.readings.map((reading) => decimal(BigInt(reading), UNIT_PLACES));
  return {
    [`${at}.rate_band`]: 'CONSUMPTION_STANDARD',
    [`${at}.start_date`]: isoDate(item.period.first),
    [`${at}.end_date`]: isoDate(item.period.last),
    [`${at}.number_of_units`]: decimal(BigInt(item.unitTenths), UNIT_PLACES),
    [`${at}.price_per_unit`]: decimal(item.period.perUnit, PRICE_PLACES),
    [`${at}.net_amount`]: inPounds(item.netPence),
    [`${at}.units`]: estimated ? '' : `[${readings.join(',')}]`,
  };
}
