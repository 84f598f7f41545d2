import type { PlausibilityCheck } from '../../../core/contract/descriptor.ts';
import { DESCRIPTORS } from '../../../core/contract/resources.ts';
import { failure, warning } from '../../../core/problem.ts';
import { locateOwnProblem } from '../own-problem.ts';
import type { Repetition, Repetitions } from '../ports/staging.ts';
import { reportOddDates } from '../odd-values/odd-values.ts';
import type { StageJob } from '../stage-job.ts';
import { report, reportTally, type StagedFile } from '../staged-file.ts';

/** Rules between rows whose identifiers repeat or are alike. Most files have none. */
export function checkRepeated(file: StagedFile): void {
  const { run, job } = file;
  const { idField: id, plausibility } = DESCRIPTORS[job.resource];
  reportRepetitions(file);
  const collide = (field: string) => (count: number) =>
    warning('identifiers_may_collide', [field], { count });
  if (id !== null) {
    reportTally(file, run.collidingIds(), collide(id));
    reportTally(file, run.idsOnSeveralAccounts(), (count) =>
      warning('identifier_on_several_accounts', [id], { count }),
    );
  }
  reportTally(file, run.collidingAccounts(), collide('external_account_number'));
  if (!plausibility.includes('statement_path_shared')) return;
  const path = 'statement_path';
  reportTally(file, run.sharedTexts(path), (count) => warning('statement_path_shared', [path], { count }));
}

/** Oddities that only show when all records are seen together. */
export function checkWholeFile(file: StagedFile): void {
  for (const check of DESCRIPTORS[file.job.resource].plausibility) CHECKS[check](file);
  reportOddDates(file);
  reportUnusedDocuments(file);
}

/** Documents that no row names may be waiting for another file, for a row that was lost, or for a row of another shard. */
function reportUnusedDocuments({ job: { documents }, run, counts }: StagedFile): void {
  if (!documents || counts.ofOtherShards > 0) return;
  const { listed, unused } = documents.counts();
  if (unused === 0) return;
  const problem = warning('documents_unused', [], { listing: documents.name, count: unused, listed });
  run.appendProblem(
    locateOwnProblem(problem, { file: documents.name, line: null, column: null, header: null }),
  );
}

const CHECKS: Readonly<Record<PlausibilityCheck, (file: StagedFile) => void>> = {
  // Each record is checked by itself (plausible-record.ts).
  zero_amount: () => undefined,
  amounts_all_negative: reportSigns,
  gross_amounts_look_like_major_units: reportGrossAmounts,
  split_seconds: reportSplitSeconds,
  // Only where texts repeat (`checkRepeated`).
  statement_path_shared: () => undefined,
};

/** Repetitions that are read at once, so that memory stays bounded. */
const PAGE = 10_000;

/** Records that are the same record for the platform. All are invalid, because only the supplier knows which is right. */
function reportRepetitions(file: StagedFile): void {
  const { job, run } = file;
  const repetitions = run.repetitions();
  const { field, code, exactIsHarmless } = DESCRIPTORS[job.resource].repetition;
  if (exactIsHarmless) reportHarmless(file, repetitions);
  for (let page = repetitions.page(0, PAGE); page.length > 0;) {
    for (const repetition of page) {
      if (exactIsHarmless && repetition.exact) {
        // The platform keeps one of the notes that it takes for the same.
        if (repetition.seq !== repetition.firstSeq) run.repeat(repetition.seq, repetition.firstSeq);
        continue;
      }
      run.invalidate(repetition.seq);
      file.counts.invalid++;
      report(file, failure(code, [field], otherOf(repetition, job)), repetition);
    }
    page = repetitions.page(page.at(-1)!.seq, PAGE);
  }
}

/** The platform keeps one of the notes that it takes for the same, so notes may repeat. */
function reportHarmless(file: StagedFile, repetitions: Repetitions): void {
  const later = repetitions.laterNotes();
  if (!later) return;
  const { count, accounts, first } = later;
  report(file, warning('identical_notes', ['body'], { count, accounts }), first);
}

function otherOf({ other, exact }: Repetition, job: StageJob) {
  return {
    other_file: job.sources[other.source - 1]!.name,
    other_line: other.line,
    other_content: exact ? 'which has the same content' : 'which has other content',
  };
}

/** Fewer amounts than this prove nothing. */
const LEAST = 20;

function reportSplitSeconds(file: StagedFile): void {
  for (const { field } of DESCRIPTORS[file.job.resource].dates)
    reportTally(file, file.tallies.splitSeconds(field), (count) =>
      warning('split_seconds', [field], { count }),
    );
}

/** A charge or a credit may be negative, as a reversal. When all are negative, the sign is most likely the supplier's. */
function reportSigns(file: StagedFile): void {
  const { field } = DESCRIPTORS[file.job.resource].amount!;
  for (const { type, count, negative, first } of file.tallies.signedAmounts())
    if (count >= LEAST && negative === count)
      report(file, warning('amounts_all_negative', [field], { count, type }), first);
}

/** A file of statements is taken for major units when every amount is below this, in minor units: 10.00. */
const SMALL_GROSS = 1_000;

/** Amounts are whole minor units. A file in major units has either no cents at all or far too small amounts. */
function reportGrossAmounts(file: StagedFile): void {
  const amounts = file.tallies.grossAmounts();
  if (!amounts || amounts.count < LEAST) return;
  const { count, largest, hundreds, first } = amounts;
  const oddity =
    largest < SMALL_GROSS
      ? 'are below 1000, which is 10.00'
      : hundreds === count
        ? 'are multiples of 100'
        : undefined;
  if (oddity === undefined) return;
  const { field } = DESCRIPTORS[file.job.resource].amount!;
  report(file, warning('gross_amounts_look_like_major_units', [field], { count, oddity }), first);
}
