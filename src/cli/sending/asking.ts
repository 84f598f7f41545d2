import { AppError } from '../../core/app-error.ts';
import type { Ending } from '../output/run/run-document.ts';
import type { RunReport } from '../push/ports/report.ts';
import type { DrainRun } from '../push/ports/run.ts';
import type { Resource } from '../../core/contract/resources.ts';
import type { ErrorCode } from '../../core/error-codes/table.ts';
import type { AppliedContract } from '../sources/applied-contract.ts';

/**
 * A platform that is only asked (`--ask-platform`) judges records and, if it heeds `dry_run`, stores none. The journal of such a command has no name and
 * disappears with the process, so no list and no report can count its records as arrived.
 * @throws AppError `usage` when the contract has no `dry_run` for the resource
 */
export function assertCanAsk(resource: Resource, contract: AppliedContract | undefined): void {
  if (contract?.descriptors[resource].dryRun !== undefined) return;
  const missing = contract
    ? `the contract ${contract.name} has no dry_run for ${resource}`
    : 'there is no contract (--contract), and the interface has no dry_run';
  throw new AppError('usage', { reason: `--ask-platform cannot be used: ${missing}`, command: 'push' });
}

/** The operations of a run that the platform is only asked about: no request is in doubt, because none counts as sent. */
export function storingNothing(run: DrainRun): DrainRun {
  return {
    ...run,
    fail: (batch, { status, reason }) => run.fail(batch, { kind: 'not_applied', status, reason }),
    settle: (batch, settlement, claimsNext) =>
      run.settle(batch, { ...settlement, inDoubt: false }, claimsNext),
  };
}

const PUSH_SENDS = 'the same command without --ask-platform sends those of these rows that have not arrived';

/** How asking ended. `again`: the same command. */
export function askedEnding({ rows, errorGroups }: RunReport, { exit }: Ending, again: string): Ending {
  const isUnanswered = rows.not_sent + rows.unknown > 0;
  // Asking again leads to nothing then.
  const isUnknown = errorGroups.some(({ first }) => first.code === ('dry_run_unknown' satisfies ErrorCode));
  const next = (): string => {
    if (exit === 'OK' || isUnknown) return PUSH_SENDS;
    if (isUnanswered) return again;
    return `correct the refused rows in their file, then: ${again}`;
  };
  // Where the platform refuses every request, it has judged no row.
  const asked = exit === 'REFUSED' && isUnanswered ? 'UNFINISHED' : exit;
  return { exit: asked, resumable: false, next: next() };
}
