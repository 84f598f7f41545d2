import { cents } from '../oracle/canonical.ts';
import type { CanonicalLedger } from '../oracle/oracle.ts';
import { violation, type Violation } from './violation.ts';

/** What a finished run says of itself; the keys are those of `--json` (cli.md). */
export interface RunSays {
  readonly rows: Readonly<Record<string, number>>;
  readonly totals: readonly {
    readonly type: string | null;
    readonly count: number;
    readonly accepted: string | null;
  }[];
  /** Its exit code; null when it is not known. */
  readonly exit: number | null;
}

/** I2, I3 and I10 of what the run says, against what the platform holds of its records. */
export function reportViolations(
  says: RunSays,
  truth: {
    readonly rowsInFile: number;
    /** Only of the kind that the run brought. */
    readonly ledger: CanonicalLedger;
    /** Rows that the platform takes for one. */
    readonly merged: number;
  },
): readonly Violation[] {
  const { rows, exit } = says;
  const { read = 0, ...ends } = rows;
  const ended = Object.values(ends).reduce((sum, count) => sum + count, 0);
  const present = (rows['created'] ?? 0) + (rows['existing'] ?? 0) + (rows['verify'] ?? 0);
  const held = [...truth.ledger.values()].reduce((sum, records) => sum + records.length, 0);
  const all: Violation[] = [];
  if (read !== truth.rowsInFile || ended !== read)
    all.push(violation('I2', `${truth.rowsInFile} rows in the file, ${read} read, ${ended} accounted for`));
  if (present !== held + truth.merged)
    all.push(
      violation(
        'I2',
        `${present} rows are said to be there, ${held} records and ${truth.merged} merged rows are`,
      ),
    );
  const open = (rows['unknown'] ?? 0) + (rows['not_sent'] ?? 0);
  const inDoubt = (rows['verify'] ?? 0) + (rows['rejected'] ?? 0) + (rows['invalid'] ?? 0);
  if (exit === 0 && open + inDoubt > 0)
    all.push(violation('I10', `exit 0 with ${open + inDoubt} rows that are not there for sure`));
  if (exit === 6 && inDoubt === 0) all.push(violation('I10', 'exit 6 although every row is there'));
  if (exit === 6 && open > 0) all.push(violation('I10', `exit 6 with ${open} rows left`));
  if (inDoubt === 0 && truth.merged === 0) all.push(...unequalTotals(says, truth.ledger));
  return all;
}

function unequalTotals({ totals }: RunSays, ledger: CanonicalLedger): readonly Violation[] {
  const records = [...ledger.values()].flat();
  return totals.flatMap(({ type, accepted }) => {
    if (accepted === null) return [];
    const ofType = records.filter((record) => type === null || record.split('\n').includes(`type=${type}`));
    const sum = ofType.reduce(
      (total, record) => total + cents(/^(?:amount|gross_amount)=(.*)$/m.exec(record)![1]!),
      0n,
    );
    return sum === cents(accepted)
      ? []
      : [violation('I3', `${type ?? 'all'}: ${accepted} accepted, and the ledger has ${sum} hundredths`)];
  });
}
