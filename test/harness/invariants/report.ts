import { cents } from '../oracle/canonical.ts';
import type { CanonicalLedger } from '../oracle/oracle.ts';
import { violation, type Violation } from './violation.ts';

/** The report of a finished run, with the keys of `--json`. */
export interface ReportedRun {
  readonly rows: Readonly<Record<string, number>>;
  readonly totals: readonly {
    readonly type: string | null;
    readonly count: number;
    readonly accepted: string | null;
  }[];
  /** Its exit code; null when it is not known. */
  readonly exit: number | null;
}

/** Checks I2, I3 and I10 of a report against the records of the platform. */
export function reportViolations(
  report: ReportedRun,
  truth: {
    readonly rowsInFile: number;
    /** Only records of the kind of the run. */
    readonly ledger: CanonicalLedger;
    /** Rows that the platform treats as repetitions of other rows. */
    readonly merged: number;
    /** The records of the rows that are reported as `verify`, in the form of the ledger. Default: none is known. */
    readonly toVerify?: readonly string[];
  },
): readonly Violation[] {
  const { rows, exit } = report;
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
        `${present} rows are reported as present, and there are ${held} records and ${truth.merged} merged rows`,
      ),
    );
  const open = (rows['unknown'] ?? 0) + (rows['not_sent'] ?? 0);
  const inDoubt = (rows['verify'] ?? 0) + (rows['rejected'] ?? 0) + (rows['invalid'] ?? 0);
  if (exit === 0 && open + inDoubt > 0)
    all.push(violation('I10', `exit 0 with ${open + inDoubt} rows that are not surely present`));
  if (exit === 6 && inDoubt === 0) all.push(violation('I10', 'exit 6 although every row is present'));
  if (exit === 6 && open > 0) all.push(violation('I10', `exit 6 with ${open} rows left`));
  const isSummable = inDoubt === 0 || inDoubt === truth.toVerify?.length;
  if (isSummable && truth.merged === 0)
    all.push(...unequalTotals(report, truth.ledger, truth.toVerify ?? []));
  return all;
}

/** A row that has to be verified is on the platform and is not accepted. */
function unequalTotals(
  { totals }: ReportedRun,
  ledger: CanonicalLedger,
  toVerify: readonly string[],
): readonly Violation[] {
  const records = [...ledger.values()].flat();
  return totals.flatMap(({ type, accepted }) => {
    if (accepted === null) return [];
    const sum = sumOfType(records, type) - sumOfType(toVerify, type);
    return sum === cents(accepted)
      ? []
      : [
          violation(
            'I3',
            `${type ?? 'all'}: ${accepted} accepted, and the ledger has ${sum} hundredths without rows to verify`,
          ),
        ];
  });
}

function sumOfType(records: readonly string[], type: string | null): bigint {
  return records
    .filter((record) => type === null || record.split('\n').includes(`type=${type}`))
    .reduce((total, record) => total + cents(/^(?:amount|gross_amount)=(.*)$/m.exec(record)?.[1] ?? '0'), 0n);
}
