import type { Account } from './accounts.ts';
import type { Dice } from './dice.ts';
import { FIRST_DAY, LAST_DAY, isInTime } from './posting.ts';
import type { Posting } from './posting.ts';

interface Kind {
  readonly type: 'CHARGE' | 'CREDIT';
  readonly reason: 'IMPORTED_CHARGE' | 'IMPORTED_CREDIT' | 'GENERAL_CREDIT';
  readonly shown: string;
  readonly internal: string;
  readonly pence: readonly [number, number];
}

const KINDS: readonly Kind[] = [
  charge('Late payment fee', 'Second reminder sent', [1_500, 1_500]),
  charge('Missed appointment', 'Engineer was there 10:40, nobody in', [3_000, 3_000]),
  charge('Meter accuracy test', 'Meter within limits, so chargeable', [6_540, 6_540]),
  charge('Paper bill fee', '', [250, 250]),
  charge('Reconnection', 'Reconnected the same day', [4_890, 8_925]),
  credit('GENERAL_CREDIT', 'Goodwill credit', 'Agreed on the phone, see notes', [500, 7_500]),
  credit('GENERAL_CREDIT', 'Sorry for the wait', 'Complaint closed, "final" letter sent', [2_000, 6_000]),
  credit('GENERAL_CREDIT', 'Thank you for recommending us', '', [5_000, 5_000]),
  credit('IMPORTED_CREDIT', 'Meter read correction', 'Estimate was too high, rebilled', [311, 9_876]),
  credit('IMPORTED_CREDIT', 'Warm home discount', 'Scheme year 2025/26', [15_000, 15_000]),
];

/** Postings of agents by hand: the balance brought over, fees and credits, and now and then a reversal. */
export function adjustments(account: Account, dice: Dice): readonly Posting[] {
  const count = dice.int(0, 4);
  const byHand = Array.from({ length: count }, () => dice.pick(KINDS)).flatMap((kind) =>
    withReversal(account, kind, dice),
  );
  return [broughtForward(account, dice), ...byHand];
}

function broughtForward(account: Account, dice: Dice): Posting {
  const type = dice.chance(55) ? 'CREDIT' : 'CHARGE';
  return {
    account: account.number,
    day: FIRST_DAY + dice.int(0, 2),
    type,
    pence: BigInt(dice.int(105, 24_999)),
    cells: {
      reason: `IMPORTED_${type}`,
      display_note: 'Balance from your previous bill',
      note: 'Closing balance 2025, old billing system',
    },
  };
}

/** A reversal keeps type and reason and turns the sign. */
function withReversal(account: Account, kind: Kind, dice: Dice): readonly Posting[] {
  const original: Posting = {
    account: account.number,
    day: dice.int(FIRST_DAY + 3, LAST_DAY),
    type: kind.type,
    pence: BigInt(dice.int(...kind.pence)),
    cells: { reason: kind.reason, display_note: kind.shown, note: kind.internal },
  };
  if (!dice.chance(12)) return [original];
  const reversal: Posting = {
    ...original,
    day: original.day + dice.int(1, 12),
    pence: -original.pence,
    cells: { reason: kind.reason, display_note: `${kind.shown}, reversed`, note: 'Posted in error' },
  };
  return [original, reversal].filter(isInTime);
}

function charge(shown: string, internal: string, pence: Kind['pence']): Kind {
  return { type: 'CHARGE', reason: 'IMPORTED_CHARGE', shown, internal, pence };
}

function credit(reason: Kind['reason'], shown: string, internal: string, pence: Kind['pence']): Kind {
  return { type: 'CREDIT', reason, shown, internal, pence };
}
