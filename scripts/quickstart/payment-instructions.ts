import { SUPPLIER } from './accounts.ts';
import type { Account } from './accounts.ts';
import type { Row } from './csv.ts';
import { diceFor } from './dice.ts';
import type { Dice } from './dice.ts';

export const VENDOR = 'STRIPE';

export const PAYMENT_INSTRUCTION_COLUMNS = [
  'import_supplier',
  'external_account_number',
  'vendor',
  'reference',
  'type',
];

const COUNT = 46;

/** Characters of references: no vowels, so that no reference spells a word, and none that looks like another. */
const REFERENCE_ALPHABET = 'bcdfghjkmnpqrstvwxz23456789'.split('');

/** One instruction for each account that pays by card, and for some other accounts; never two for one account. */
export function makePaymentInstructions(accounts: readonly Account[]): readonly Row[] {
  const dice = diceFor('payment-instructions');
  const paysByCard = (account: Account): boolean => account.habit === 'card' || account.habit === 'top_up';
  const cardsFirst = dice.shuffled(accounts).sort((a, b) => Number(paysByCard(b)) - Number(paysByCard(a)));
  return dice.shuffled(cardsFirst.slice(0, COUNT)).map((account) => ({
    import_supplier: SUPPLIER,
    external_account_number: account.number,
    vendor: VENDOR,
    reference: `pi_${referenceOf(dice)}`,
    type: 'CARD',
  }));
}

function referenceOf(dice: Dice): string {
  return Array.from({ length: 16 }, () => dice.pick(REFERENCE_ALPHABET)).join('');
}
