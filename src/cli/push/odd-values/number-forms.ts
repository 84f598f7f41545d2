import { failure } from '../../../core/problem.ts';
import type { RowTally, SourceLine } from '../ports/staging.ts';
import { reportTally, type StagedFile } from '../staged-file.ts';

type Tally = { -readonly [Key in keyof RowTally]: RowTally[Key] };

/** A number without marks that is long enough for a mark between thousands. */
const LONG_NUMBER = /^\d{4,}$/;

/** The forms in which programs write numbers, each with a regular expression of YAML that repairs it. */
const FORMS = [
  { pattern: /^\d+\.0$/, how: 'end in .0', remove: String.raw`'\.0$'`, isAlwaysOdd: true },
  {
    pattern: /^[1-9]\d{0,2}(?:(?:\.\d{3})+|(?:,\d{3})+)$/,
    how: 'have marks between thousands, and others have none',
    remove: `'[.,]'`,
    isAlwaysOdd: false,
  },
] as const;

/** The identifiers of one field that are written as a program writes numbers: `7001.0`, `10.231`. */
export class NumberForms {
  private readonly found = new Map<(typeof FORMS)[number], Tally>();
  private records = 0;
  private hasLongNumber = false;
  /** Numbers with other parts behind a point, such as those of sub-accounts, are no form of a program. */
  private hasParts = false;

  see(text: string, first: SourceLine): void {
    this.records++;
    if (!text.includes('.') && !text.includes(',')) {
      this.hasLongNumber ||= LONG_NUMBER.test(text);
      return;
    }
    const form = FORMS.find(({ pattern }) => pattern.test(text));
    if (!form) {
      this.hasParts = true;
      return;
    }
    const known = this.found.get(form);
    if (known) known.count++;
    else this.found.set(form, { count: 1, first });
  }

  report(file: StagedFile, attr: string): void {
    if (this.hasParts || this.found.size > 1) return;
    const { records } = this;
    for (const [{ how, remove, isAlwaysOdd }, tally] of this.found) {
      // One form alone may be how the supplier writes identifiers, except for decimals that no identifier needs.
      if (isAlwaysOdd ? records < 2 : !this.hasLongNumber || tally.count === records) continue;
      reportTally(file, tally, (count) =>
        failure('identifiers_written_as_numbers', [attr], { count, records, how, remove }),
      );
    }
  }
}
