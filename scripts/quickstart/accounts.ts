import { diceFor } from './dice.ts';
import type { Dice } from './dice.ts';
import type { ProductCode } from './products.ts';

export const SUPPLIER = 'ACME';

/** The way in which an account pays. It decides how often the account is billed and what its payments look like. */
type PaymentHabit = 'direct_debit' | 'card' | 'transfer' | 'top_up';

export interface Account {
  readonly number: string;
  readonly state: 'imported' | 'staged';
  readonly habit: PaymentHabit;
  readonly product: ProductCode;
  /** Business accounts use more and pay the full rate of VAT. */
  readonly business: boolean;
  /** Tenths of a kWh per day, the mean of a year. */
  readonly dailyTenths: number;
}

/** Three ranges of account numbers, as after buying two other suppliers: with leading zeros, without, with letters. */
const RANGES = [
  { prefix: '00', first: 10_023_417, count: 30 },
  { prefix: '', first: 30_045_512, count: 30 },
  { prefix: 'NW', first: 104_422, count: 4 },
] as const;

const TOP_UP_COUNT = 4;
const BUSINESS_COUNT = 6;

export function makeAccounts(): readonly Account[] {
  const dice = diceFor('accounts');
  const numbers = RANGES.flatMap((range) => numbersOf(range, dice));
  const imported = dice.shuffled(numbers).map((number, index) => accountOf(number, index, dice));
  const staged = ['0010059902', '30061188'].map((number) => ({
    ...accountOf(number, numbers.length, dice),
    state: 'staged' as const,
  }));
  return [...imported.sort((a, b) => (a.number < b.number ? -1 : 1)), ...staged];
}

function numbersOf({ prefix, first, count }: (typeof RANGES)[number], dice: Dice): string[] {
  let current: number = first;
  return Array.from({ length: count }, () => {
    const number = `${prefix}${current}`;
    current += dice.int(3, 480);
    return number;
  });
}

function accountOf(number: string, index: number, dice: Dice): Account {
  const business = index >= TOP_UP_COUNT && index < TOP_UP_COUNT + BUSINESS_COUNT;
  return {
    number,
    state: 'imported',
    habit: index < TOP_UP_COUNT ? 'top_up' : habitOf(business, dice),
    product: dice.chance(70) ? 'FLEX-12' : 'FIXED-24',
    business,
    dailyTenths: business ? dice.int(420, 1_900) : dice.int(48, 165),
  };
}

function habitOf(business: boolean, dice: Dice): PaymentHabit {
  if (business) return 'transfer';
  return dice.pick(['direct_debit', 'direct_debit', 'direct_debit', 'card', 'transfer'] as const);
}
