import type { EventSink } from '../events.ts';
import { Oddities } from '../odd-values/oddities.ts';
import { conflictProblem, isInvalidating } from './history-conflicts.ts';
import { locateOwnProblem } from '../own-problem.ts';
import { PAGE, pageByPage, planRun } from './batches.ts';
import type { Look } from '../look/look.ts';
import { type StagedFile, placed, report, reportTally } from '../staged-file.ts';
import type { BatchLimits, Conflicts, HistoryConflict, NewRun, Repetition } from '../ports/staging.ts';
import type { StageCounts, StageJob } from '../stage-job.ts';
import { RepeatedIdentities } from './repeated-identities.ts';
import { RecordStaging } from './stage-record.ts';
import { SourceStaging } from './stage-source.ts';
import type { SourceParts } from './source-report.ts';
import { DESCRIPTORS } from '../../../core/contract/resources.ts';
import { failure, warning } from '../../../core/problem.ts';

/** When the staged records may be sent, and in which batches. */
export interface StagePolicy {
  /** How the records are cut into batches; null when they are only checked. */
  readonly limits: BatchLimits | null;
  /** Whether valid rows may be sent although others are invalid (`--skip-invalid`). */
  readonly skipInvalid: boolean;
}

/** Where staging reports its progress, and the signal that ends it between two rows. `look`: gathers figures of the rows for a person. */
export type StagePorts = {
  readonly emit: EventSink;
  readonly stopping: AbortSignal;
  readonly look?: Look | null;
};

/**
 * Whether the run may be sent. `invalid`: no record may be sent. `unusable`: a header or a file as a whole is wrong, so that
 * more than rows has to be corrected. `conflicting`: only the journal keeps the records from being sent, so a person may settle
 * that without another version of the files. `interrupted`: a file was not read to its end.
 */
export type StageEnd =
  | { readonly kind: 'staged' | 'interrupted' | 'conflicting' }
  | { readonly kind: 'invalid'; readonly unusable: boolean };

/** The policy for records that are not sent. */
export const CHECK_ONLY: StagePolicy = { limits: null, skipInvalid: false };

/**
 * Reads, maps and checks every row, appends it to the journal and cuts the records into batches. Sends nothing: every row
 * is read before anything may be sent. A run that keeps no records ends without a result when identifiers repeat, because only a run
 * that keeps them can answer the rules between rows.
 */
export async function stage(
  job: StageJob,
  policy: StagePolicy,
  run: NewRun,
  { emit, stopping, look = null }: StagePorts,
): Promise<StageEnd | undefined> {
  const staging = run.staging();
  const { keepsRecords } = run;
  const repeated = new RepeatedIdentities(job.resource, staging.repeatedHashes());
  const counts: StageCounts = { rows: 0, parts: 0, ofOtherShards: 0, invalid: 0, errors: 0 };
  const oddities = new Oddities(job.resource);
  const whole = { job, run: staging, repeated, oddities, look, emit, counts };
  const onProblem: SourceParts['onProblem'] = (problem, at) =>
    staging.appendProblem(locateOwnProblem(problem, at));
  const sources = job.sources.map((source, index) => {
    const parts = { ...whole, onProblem, source, number: index + 1 };
    return new SourceStaging(parts, (report) => new RecordStaging(parts, report));
  });
  for (const staged of sources) {
    for await (const items of staged.parts.source.items) {
      // A query that has no row yet yields empty lists.
      for (const item of items.length === 0 ? [undefined] : items) {
        if (stopping.aborted) {
          staging.commit();
          return { kind: 'interrupted' };
        }
        if (!item) continue;
        staged.accept(item);
        if (!keepsRecords && repeated.hasAlikeAccounts) return undefined;
      }
    }
    staged.finish();
  }
  const empty = sources.filter((source) => source.isAllFiltered);
  const isEmpty = empty.length === sources.length;
  for (const source of empty) source.reportAllFiltered(isEmpty);
  const usable = sources.every((source) => source.report.usable);
  const columns = sources.map(({ plan }) => plan?.columns ?? []);
  const file: StagedFile = { job, run: staging, counts, columns };
  if (usable) {
    const hasRepeated = repeated.hasAny();
    if (hasRepeated && !keepsRecords) return undefined;
    if (hasRepeated) checkRepeated(file);
    reportUnusedDocuments(file);
    oddities.report(file);
  }
  const errors = counts.errors;
  const conflicts = staging.compared();
  if (usable && conflicts) reportConflicts(file, conflicts);
  emit({ kind: 'staging', rows: counts.rows, invalid: counts.invalid });
  staging.commit();
  if (usable)
    run.finishStaging(
      sources.map(({ report }, at) => ({ columns: columns[at]!, rowsFrom: report.rowsFrom })),
    );

  if (!usable || (errors > 0 && !policy.skipInvalid)) return { kind: 'invalid', unusable: !usable };
  if (policy.limits === null) return { kind: 'staged' };
  run.index();
  planRun(staging, policy.limits);
  staging.commit();
  return { kind: counts.errors > errors && !policy.skipInvalid ? 'conflicting' : 'staged' };
}

/** Reports the records that the journal keeps from being sent as they are. */
function reportConflicts(file: StagedFile, compared: Conflicts): void {
  for (const conflict of pageByPage<HistoryConflict>((last) => compared.conflicts(last?.seq ?? 0, PAGE))) {
    file.run.appendProblem(placed(file, conflictProblem(file.job.resource, conflict), conflict), true);
    if (!isInvalidating(conflict)) continue;
    file.counts.errors++;
    file.counts.invalid++;
  }
}

/** Rules between rows whose identities repeat or are alike. Most files have none. */
function checkRepeated(file: StagedFile): void {
  const { run, job } = file;
  const { idField: id, schema } = DESCRIPTORS[job.resource];
  reportRepetitions(file);
  const collide = (field: string) => (count: number) =>
    warning('identifiers_may_collide', [field], { count });
  if (id !== null) {
    reportTally(file, run.collidingIds(), collide(id));
    const shared = run.idsOnSeveralAccounts();
    const kept = `${shared?.sumOfFirst} of ${shared?.sum}`;
    const money = `; a platform that keeps an id once for all accounts stores the first of each alone: amounts of ${kept}`;
    reportTally(file, shared, (count) =>
      warning('identifier_on_several_accounts', [id], { count, ...(shared?.sum && { money }) }),
    );
  }
  reportTally(file, run.collidingAccounts(), collide('external_account_number'));
  const path = 'statement_path';
  if (path in schema.shape)
    reportTally(file, run.sharedTexts(path), (count) =>
      warning('identifier_on_several_accounts', [path], { count }),
    );
}

/** Documents that no row names may be waiting for another file, for a row that was lost, or for a row of another shard. */
function reportUnusedDocuments({ job: { documents }, run, counts }: StagedFile): void {
  if (!documents || counts.ofOtherShards > 0) return;
  const { listed, unused } = documents.counts();
  if (unused === 0) return;
  const what = `documents that no row names: ${unused} of ${listed} in`;
  const problem = warning('document_not_listed', [], { listing: documents.name, what });
  run.appendProblem(locateOwnProblem(problem, { file: documents.name }));
}

/** Records that are the same record for the platform. All are invalid, because only the supplier knows which is right. */
function reportRepetitions(file: StagedFile): void {
  const { job, run } = file;
  const repetitions = run.repetitions();
  const { field, code, exactIsHarmless } = DESCRIPTORS[job.resource].repetition;
  const later = exactIsHarmless ? repetitions.laterNotes() : undefined;
  reportTally(file, later, (count) =>
    warning('identical_notes', ['body'], { count, accounts: later!.accounts }),
  );
  for (const repetition of pageByPage<Repetition>((last) => repetitions.page(last?.seq ?? 0, PAGE))) {
    const { seq, firstSeq, exact, otherSource, otherLine } = repetition;
    if (exactIsHarmless && exact) {
      // The platform keeps one of the notes that it takes for the same.
      if (seq !== firstSeq) run.repeat(seq, firstSeq);
      continue;
    }
    run.invalidate(seq);
    file.counts.invalid++;
    const facts = {
      other_file: job.sources[otherSource - 1]!.name,
      other_line: otherLine,
      other_content: exact ? 'which has the same content' : 'which has other content',
    };
    report(file, failure(code, [field], facts), repetition);
  }
}
