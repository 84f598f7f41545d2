import { warning, type Problem } from '../../core/problem.ts';
import { TIMES_OF_NOTE, type NumberLengths, type Tally } from './ports/whole-file.ts';
import { ID_FIELD } from './record-id.ts';
import type { StagedFile } from './staged-file.ts';

/** Fewer accounts, or fewer amounts, than this show nothing. */
const LEAST = 20;

/** How large a part of the account numbers must have one length before the shorter ones are odd. */
const USUAL_PART = 0.8;

/** Statements of which each is below this are taken for major units, in minor units: 10.00. */
const SMALL_GROSS = 1_000;

/** What only shows when all records are seen together: warnings, because each of it may be right. */
export function surveyFile(file: StagedFile, idsAreApart: boolean): void {
  const { job, run } = file;
  const number = 'external_account_number';
  const tell = (tally: Tally | undefined, problem: (count: number) => Problem): void => {
    if (tally) file.report(problem(tally.count), tally.first);
  };
  const id = ID_FIELD[job.resource];
  if (id !== null && !idsAreApart) {
    tell(run.collidingIds(), (count) => warning('identifiers_may_collide', [id], { count }));
    tell(run.idsOnSeveralAccounts(), (count) => warning('identifier_on_several_accounts', [id], { count }));
  }
  tell(run.collidingAccounts(), (count) => warning('identifiers_may_collide', [number], { count }));
  const shortened = shortenedNumbers(run.accountNumberLengths());
  if (shortened) {
    const { usual, lengths } = shortened;
    tell(run.accountNumbersBelow(usual), (count) =>
      warning('leading_zeros_lost', [number], { count, lengths }),
    );
  }
  if (job.resource === 'notes')
    for (const field of TIMES_OF_NOTE)
      tell(run.splitSeconds(field), (count) => warning('split_seconds', [field], { count }));
  if (job.resource === 'statements') reportGrossAmounts(file);
  if (job.resource === 'transactions') reportSigns(file);
}

/** Numbers that once had one length, so that the shorter ones have lost zeros: none that is left begins with one. */
function shortenedNumbers(
  all: readonly NumberLengths[],
): { readonly usual: number; readonly lengths: string } | undefined {
  const total = all.reduce((sum, { count }) => sum + count, 0);
  const longest = all.at(-1);
  if (!longest || all.length < 2 || total < LEAST || longest.count < total * USUAL_PART) return undefined;
  if (longest.zeroLed > 0) return undefined;
  const lengths = all.map(({ digits, count }) => `${count} of ${digits} digits`).toReversed();
  return { usual: longest.digits, lengths: lengths.join(', ') };
}

/** A charge or a credit may be negative, as a reversal; where all of them are, the sign is most likely the supplier's. */
function reportSigns({ run, report }: StagedFile): void {
  for (const { type, count, negative, first } of run.signedAmounts())
    if (count >= LEAST && negative === count)
      report(warning('amounts_all_negative', ['amount'], { count, type }), first);
}

/** Whole minor units are asked for; a file in major units has either no cents at all or far too small amounts. */
function reportGrossAmounts({ run, report }: StagedFile): void {
  const amounts = run.grossAmounts();
  if (!amounts || amounts.count < LEAST) return;
  const { count, largest, hundreds, first } = amounts;
  const oddity =
    largest < SMALL_GROSS
      ? 'are below 1000, which is 10.00'
      : hundreds === count
        ? 'are multiples of 100'
        : undefined;
  if (oddity === undefined) return;
  report(warning('gross_amounts_look_like_major_units', ['gross_amount'], { count, oddity }), first);
}
