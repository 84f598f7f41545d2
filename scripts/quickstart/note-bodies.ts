import { monthName } from './calendar.ts';
import type { Day } from './calendar.ts';
import { decimal } from './decimal.ts';
import type { Dice } from './dice.ts';

/** The facts that differ from one call to the next. */
interface Call {
  /** The customer, the same on all notes of the account. */
  readonly customer: string;
  /** Another person in the note. */
  readonly other: string;
  readonly agent: string;
  readonly lastMonth: string;
  readonly nextMonth: string;
  readonly pounds: string;
  readonly euros: string;
  readonly reading: number;
  readonly days: number;
  readonly minutes: number;
}

type Body = (call: Call) => string;

// Names in one string, because the formatter would give each a line of its own.
export const CUSTOMERS = (
  'Aoife Amélie André Ben Björn Chloé Claire Dafydd Françoise Grace Hannah Inès Jack Jürgen José Łukasz ' +
  'Maria Niamh Oscar Renée Siân Søren Tom'
).split(' ');
const AGENTS = 'Beth Callum Zoë Imran Lucía Megan Noël Priya Rhys Seán'.split(' ');

const ONE_LINE: readonly Body[] = [
  (c) => `${c.customer} called with a reading of ${c.reading}, ${c.lastMonth} bill to be redone.`,
  (c) => `Reading ${c.reading} given by text, within range.`,
  (c) => `Estimated bill queried (${c.lastMonth}). Asked for a photo of the meter.`,
  (c) => `DD moved to the 15th at ${c.customer}'s request`,
  (c) => `Paid £${c.pounds} by card over the phone, receipt e-mailed. ${c.agent}`,
  (c) => `Says the ${c.lastMonth} bill is "far too high", wants a call back within ${c.days} days.`,
  (c) => `Says "nobody told me the price goes up". Sent the ${c.lastMonth} letter again.`,
  (c) => `Left voicemail for ${c.customer}, no answer after ${c.days} attempts`,
  (c) => `${c.customer} moved in ${c.days} days ago, opening reading ${c.reading}.`,
  (c) => `Goodwill of £${c.pounds} offered, accepted. See complaint file.`,
  (c) => `Goodwill of £${c.pounds} offered, refused; wants to speak to "the manager".`,
  (c) => `Quoted €${c.euros} by mistake, corrected to £${c.pounds} on the same call`,
  (c) =>
    `Partner ${c.other} may speak for the account holder; consent given on the phone, runs out in ${c.nextMonth}.`,
  (c) => `Smart meter offered, booked for ${c.nextMonth}, morning slot`,
  (c) => `Smart meter not sending since ${c.lastMonth}; hub reset, waiting ${c.days} days.`,
  (c) => `Tariff explained; ${c.customer} stays on the current one.`,
  (c) => `Large print bills from ${c.nextMonth} on.`,
  (c) => `${c.customer} very pleased with the engineer 😊`,
  (c) => `Payment plan: £${c.pounds} a month from ${c.nextMonth}, review after ${c.days} weeks.`,
  (c) => `Refund of £${c.pounds} asked for, sent to back office (${c.agent}).`,
  (c) => `Wrong number, ${c.other} is not our customer any more`,
  (c) => `Call dropped after ${c.minutes} min, rang back, line busy.`,
  (c) => `Key lost. New one at the corner shop, told ${c.customer} to ask for "Acme prepay".`,
  (c) => `E-mail changed; old one bounced since ${c.lastMonth}`,
  (c) => `Bill for ${c.lastMonth} sent again by post, ${c.customer} has no access to the app.`,
  (c) => `Überweisung from a German account (€${c.euros}) arrived, matched by hand: ${c.agent}`,
  (c) => `- no answer -  (${c.agent}, ${c.minutes} min)`,
  (c) => `Asked what "standing charge" means, explained, fine. ${c.minutes} min.`,
  (c) =>
    `Neighbour ${c.other} reports sparks at the meter box; passed to the network operator, ref. ${c.reading}`,
  (c) =>
    `Will leave for another supplier in ${c.nextMonth} unless the price comes down; retention offer sent.`,
];

const SEVERAL_LINES: readonly Body[] = [
  (c) => `Readings from ${c.customer}:\nday ${c.reading}\nnight ${c.reading - 1_204}`,
  (c) =>
    `Call with ${c.customer}, ${c.minutes} min\n- bill for ${c.lastMonth} explained\n- £${c.pounds} paid by card`,
  (c) => `Address check done.\nPost goes to c/o ${c.other}, "the blue door, ring twice".`,
  (c) =>
    `Complaint about the ${c.lastMonth} bill.\n\n${c.customer} compares with last year and says the meter is faulty. ` +
    `Explained that two of the readings were estimated, and offered a meter test.\n\n` +
    `Next step: call back in ${c.days} days. ${c.agent}`,
  (c) =>
    `Vulnerability check.\n\n${c.customer} uses medical equipment at home, so never disconnect. ` +
    `Priority register form sent.\n\nSpoke slowly, repeated twice; "thank you, love" 💛`,
  (c) =>
    `Debt talk, ${c.minutes} min.\n\nOwes £${c.pounds}, can pay £${c.days} a week.\n` +
    `Income & expenditure form filled in together.\n\nAgreed: first payment in ${c.nextMonth}.`,
  (c) =>
    `Letter from ${c.customer} scanned. In short:\n\n"I have been a customer since 1998 and never missed a payment. ` +
    `Your bill of £${c.pounds} cannot be right."\n\nPassed to billing.`,
];

const PINNED: readonly Body[] = [
  (c) => `PRIORITY SERVICES: ${c.customer} is on oxygen, call before any planned work.`,
  (c) => `Do not ring before 10:00, night worker since ${c.lastMonth}.`,
  (c) => `Speaks Polish; Łukasz's team (${c.agent}) has the file.`,
  (c) => `Open complaint, no reminders until ${c.nextMonth}. ${c.agent}`,
  (c) => `Payment plan of £${c.pounds} a month: do not chase.`,
  (c) => `Dog in the garden!\nMeter readers ring ${c.other} first.`,
  (c) => `Password on the account is "grüne Wiese", ask before giving any detail. ${c.agent}`,
];

interface Occasion {
  readonly customer: string;
  readonly day: Day;
  readonly pinned: boolean;
}

export function noteBody({ customer, day, pinned }: Occasion, dice: Dice): string {
  const call: Call = {
    customer,
    other: dice.pick(CUSTOMERS.filter((name) => name !== customer)),
    agent: dice.pick(AGENTS),
    lastMonth: monthName(day - 31),
    nextMonth: monthName(day + 31),
    pounds: decimal(BigInt(dice.int(800, 48_000)), 2),
    euros: decimal(BigInt(dice.int(1_500, 39_000)), 2),
    reading: dice.int(2_500, 68_000),
    days: dice.int(2, 14),
    minutes: dice.int(3, 48),
  };
  const bodies = pinned ? PINNED : dice.chance(22) ? SEVERAL_LINES : ONE_LINE;
  return dice.pick(bodies)(call);
}
