import type { Account } from './accounts.ts';
import { dayOf, monthOf, workingDayFrom } from './calendar.ts';
import type { Day } from './calendar.ts';
import type { Dice } from './dice.ts';
import { FIRST_DAY, LAST_DAY, isInTime } from './posting.ts';
import type { Posting } from './posting.ts';

/** The payments of a customer: by the month, by the bill, or by the top-up. */
export function payments(account: Account, bills: readonly Posting[], dice: Dice): readonly Posting[] {
  switch (account.habit) {
    case 'direct_debit':
      return directDebits(account, dice);
    case 'top_up':
      return topUps(account, dice);
    case 'card':
    case 'transfer':
      return billsPaid(account, bills, dice);
    default:
      throw new Error(account.habit satisfies never);
  }
}

/** The credit balance of about every fourth account, paid back once. */
export function repayments(account: Account, dice: Dice): readonly Posting[] {
  if (!dice.chance(25)) return [];
  const day = workingDayFrom(dice.int(FIRST_DAY + 60, LAST_DAY - 2));
  return [
    {
      account: account.number,
      day,
      type: 'REPAYMENT',
      pence: BigInt(dice.int(1_200, 18_500)),
      cells: {
        reason: 'FULL_CREDIT_REFUND',
        payment_type: 'DIRECT_CREDIT',
        reference: `RFD-${dice.int(100_000, 999_999)}`,
        note: dice.pick(['Refund asked for by phone', 'Annual review, credit above one bill', '']),
      },
    },
  ];
}

/** The same whole pounds every month, a little above the mean bill, on the same day where the bank is open. */
function directDebits(account: Account, dice: Dice): readonly Posting[] {
  const pounds = Math.ceil((account.dailyTenths * 82) / 100) + dice.int(0, 6);
  const dayOfMonth = dice.int(3, 26);
  return Array.from({ length: 10 }, (_, month) =>
    paymentOf(account, {
      day: workingDayFrom(dayOf(2026, 1 + month, dayOfMonth)),
      pence: BigInt(pounds) * 100n,
      payment_type: 'DD_REGULAR_COLLECTION',
      reference: `DD-${account.number}-${String(month + 1).padStart(2, '0')}`,
      note: '',
    }),
  ).filter(isInTime);
}

function topUps(account: Account, dice: Dice): readonly Posting[] {
  const result: Posting[] = [];
  for (let day = FIRST_DAY + dice.int(0, 3); day <= LAST_DAY; day += dice.int(3, 5)) {
    const pence = BigInt(dice.pick([1_000, 1_500, 2_000, 2_000, 3_000, 5_000]));
    result.push(
      paymentOf(account, {
        day,
        pence,
        payment_type: 'DEBIT_CARD',
        reference: `TOP-${dice.int(10_000_000, 99_999_999)}`,
        note: dice.pick(['App top-up', 'PayPoint top-up', '']),
      }),
    );
  }
  return result;
}

/** The bill to the penny after one to three weeks, or now and then rounded up to the next five pounds. */
function billsPaid(account: Account, bills: readonly Posting[], dice: Dice): readonly Posting[] {
  return bills
    .map((bill) => {
      const byCard = account.habit === 'card';
      return paymentOf(account, {
        day: workingDayFrom(bill.day + dice.int(7, 21)),
        pence: dice.chance(10) ? ((bill.pence + 499n) / 500n) * 500n : bill.pence,
        payment_type: byCard ? 'DEBIT_CARD' : 'DIRECT_CREDIT',
        reference: byCard
          ? `CRD-${dice.int(10_000_000, 99_999_999)}`
          : `${account.number} ${monthOf(bill.day)}/26`,
        note: byCard && dice.chance(20) ? 'Taken over the phone, card not kept' : '',
      });
    })
    .filter(isInTime);
}

interface Payment {
  readonly day: Day;
  readonly pence: bigint;
  readonly payment_type: 'DD_REGULAR_COLLECTION' | 'DIRECT_CREDIT' | 'DEBIT_CARD';
  readonly reference: string;
  readonly note: string;
}

function paymentOf(account: Account, { day, pence, ...cells }: Payment): Posting {
  const reason = 'ACCOUNT_CHARGE_PAYMENT';
  return { account: account.number, day, type: 'PAYMENT', pence, cells: { reason, ...cells } };
}
