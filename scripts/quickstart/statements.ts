import { SUPPLIER } from './accounts.ts';
import type { Account } from './accounts.ts';
import { dayOf, isoDate } from './calendar.ts';
import type { Day } from './calendar.ts';
import type { Row } from './csv.ts';
import { diceFor } from './dice.ts';
import type { Dice } from './dice.ts';

export const STATEMENT_COLUMNS = [
  'import_supplier',
  'external_account_number',
  'statement_id',
  'number',
  'bill_period_from_date',
  'bill_period_to_date',
  'issued_date',
  'gross_amount',
  'statement_path',
];

interface Period {
  readonly account: Account;
  readonly first: Day;
  readonly last: Day;
}

/** The bills before the year of the transactions, for all accounts, sorted by period. */
export function makeStatements(accounts: readonly Account[]): readonly Row[] {
  const dice = diceFor('statements');
  const periods = accounts.flatMap((account) => periodsOf(account, dice));
  const ordered = dice.shuffled(periods).sort((a, b) => a.last - b.last);
  return ordered.map((period, index) => statementOf(period, index, dice));
}

/** The periods of an account, backwards from the end of 2025, a year at most. */
function periodsOf(account: Account, dice: Dice): readonly Period[] {
  const months = dice.chance(60) ? 1 : 3;
  const count = months === 1 ? dice.int(2, 5) : dice.int(1, 4);
  return Array.from({ length: count }, (_, back) => ({
    account,
    first: dayOf(2025, 13 - months * (back + 1), 1),
    last: dayOf(2025, 13 - months * back, 0),
  }));
}

function statementOf({ account, first, last }: Period, index: number, dice: Dice): Row {
  const id = `S-${String(index * 7 + dice.int(1, 6)).padStart(4, '0')}`;
  const [year, month] = isoDate(last).split('-');
  // Pence per day: tenths of a kWh at about 26 pence.
  const grossPence = Math.floor((account.dailyTenths * (last - first + 1) * dice.int(210, 310)) / 100);
  return {
    import_supplier: SUPPLIER,
    external_account_number: account.number,
    statement_id: id,
    number: dice.chance(15) ? '' : `INV-${year}-${dice.int(100_000, 999_999)}`,
    bill_period_from_date: isoDate(first),
    bill_period_to_date: isoDate(last),
    issued_date: dice.chance(10) ? '' : isoDate(last + dice.int(2, 9)),
    gross_amount: String(grossPence),
    statement_path: dice.chance(12) ? '' : `statements/${year}/${month}/${account.number}-${id}.pdf`,
  };
}
