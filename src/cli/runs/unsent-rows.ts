import type { Resource } from '../../core/contract/resources.ts';
import { failure } from '../../core/problem.ts';
import type { UnsentRows } from '../output/cohort-result.ts';
import type { NotReady } from '../push/account-watch.ts';
import type { DrainEnd } from '../push/drain.ts';
import { locate } from '../push/locate.ts';
import {
  LINES_OF_GROUP,
  LISTED_PROBLEMS,
  type LocatedProblem,
  type ProblemGroup,
  type RunReport,
} from '../push/ports/report.ts';
import type { RunFile } from '../run-file/run-file.ts';
import type { CohortAccounts } from './cohort-accounts.ts';

/** The accounts of one run whose rows were not sent, by the reason. */
export interface UnsentPart {
  readonly counts: readonly UnsentRows[];
  /** One for each account, at its first row; at most `LISTED_PROBLEMS`. */
  readonly problems: readonly LocatedProblem[];
  readonly groups: readonly ProblemGroup[];
  /** Whether an account may still be imported, and nobody waited for it to the end. */
  readonly waits: boolean;
}

/** Why rows of each run were not sent although the command did not stop early: their account, or an earlier resource of it. */
export function unsentRows(
  runs: readonly RunFile[],
  accounts: CohortAccounts,
  {
    notReady,
    end,
    continueAfterFailure,
  }: {
    readonly notReady: ReadonlyMap<number, NotReady>;
    readonly end: DrainEnd;
    readonly continueAfterFailure: boolean;
  },
): readonly UnsentPart[] {
  const parts = runs.map((run) => new UnsentOfRun(run));
  const open = runs.map((run) => run.isOpen);
  if (!open.includes(true)) return parts;
  for (let account = 1; account <= accounts.count; account++) {
    const why = notReady.get(account);
    let earlier: Resource | undefined;
    for (const [index, run] of runs.entries()) {
      const number = accounts.numberIn(index, account);
      if (number === undefined) continue;
      const unsent = open[index] ? run.cohort.notSent(number) : undefined;
      if (unsent && (why ?? earlier)) parts[index]!.add(unsent, why ?? { earlier: earlier! });
      if (!continueAfterFailure && end.kind === 'finished' && run.cohort.hasFailed(number))
        earlier ??= run.header.resource;
    }
  }
  return parts;
}

/** The state of its account, or the resource that was refused before. */
type Why = NotReady | { readonly earlier: Resource };

class UnsentOfRun implements UnsentPart {
  readonly problems: LocatedProblem[] = [];
  waits = false;
  private readonly run: RunFile;
  private readonly byCode = new Map<UnsentRows['reason'], { accounts: number; rows: number }>();
  private readonly byFile = new Map<
    string,
    { count: number; readonly first: LocatedProblem; readonly lines: number[] }
  >();

  constructor(run: RunFile) {
    this.run = run;
  }

  get counts(): readonly UnsentRows[] {
    const { resource } = this.run.header;
    return [...this.byCode].map(([code, counts]) => ({ resource, reason: code, ...counts }));
  }

  get groups(): readonly ProblemGroup[] {
    return [...this.byFile.values()];
  }

  add(
    { source, line, rows }: { readonly source: number; readonly line: number; readonly rows: number },
    why: Why,
  ): void {
    const { header } = this.run;
    const file = header.sources[source - 1]!.name;
    const reason = problemOf(why, { rows, resource: header.resource });
    const problem = locate(reason, { file, line, column: null, header: null });
    const code = problem.code as UnsentRows['reason'];
    this.waits ||= 'why' in why && (why.why === 'open' || why.why === 'not_asked');
    const counts = this.byCode.get(code) ?? { accounts: 0, rows: 0 };
    this.byCode.set(code, { accounts: counts.accounts + 1, rows: counts.rows + rows });
    if (this.problems.length < LISTED_PROBLEMS) this.problems.push(problem);
    const key = JSON.stringify([code, file]);
    const group = this.byFile.get(key) ?? { count: 0, first: problem, lines: [] };
    this.byFile.set(key, group);
    group.count++;
    if (group.lines.length < LINES_OF_GROUP) group.lines.push(line);
  }
}

function problemOf(why: Why, { rows, resource }: { readonly rows: number; readonly resource: Resource }) {
  if ('earlier' in why) {
    const { earlier } = why;
    return failure('earlier_resource_failed', [], { earlier, rows, resource });
  }
  const { state } = why;
  if (why.why === 'import_failed') return failure('account_import_failed', [], { rows, resource });
  return why.why === 'not_asked'
    ? failure('account_not_asked', [], { reason: state, rows, resource })
    : failure('account_not_imported', [], { state, rows, resource });
}

/** The report of a run with the accounts that were not sent, behind its other problems. */
export function reportWithUnsent(report: RunReport, { problems, groups }: UnsentPart): RunReport {
  const count = groups.reduce((all, group) => all + group.count, 0);
  return {
    ...report,
    problems: [...report.problems, ...problems].slice(0, LISTED_PROBLEMS),
    problemsTotal: report.problemsTotal + count,
    errorsTotal: report.errorsTotal + count,
    errorGroups: [...report.errorGroups, ...groups],
  };
}
