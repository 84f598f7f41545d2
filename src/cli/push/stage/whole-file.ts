import type { PlausibilityCheck } from '../../../core/contract/descriptor.ts';
import { DESCRIPTORS } from '../../../core/contract/resources.ts';
import { failure, warning } from '../../../core/problem.ts';
import { locateOwnProblem } from '../own-problem.ts';
import { partlyShortened, reportShortened, shortenedNumbers } from '../odd-values/lost-zeros.ts';
import type { NumberedField, Repetition, Repetitions } from '../ports/staging.ts';
import { reportMissingValues, reportOddDates } from '../odd-values/odd-values.ts';
import type { StageJob } from '../stage-job.ts';
import { report, reportTally, type StagedFile } from '../staged-file.ts';

/** Rules between rows, and oddities that only show when all records are seen together. */
export function checkWholeFile(file: StagedFile): void {
  // Most files repeat no id. This query is then enough, and the slower ones, which sort all records, are skipped.
  const idsAreApart = file.questions.idsAreApart();
  const { repetition, plausibility } = DESCRIPTORS[file.job.resource];
  if (!idsAreApart || !repetition.isKeyedById) reportRepetitions(file);
  reportIdentifiers(file, idsAreApart);
  for (const check of plausibility) CHECKS[check](file);
  reportMissingValues(file);
  reportOddDates(file);
  reportUnusedDocuments(file);
}

/** Documents of one account that a statement of another account names, too. */
function reportSharedPaths(file: StagedFile): void {
  const path = 'statement_path';
  reportTally(file, file.questions.sharedTexts(path), (count) =>
    warning('statement_path_shared', [path], { count }),
  );
}

/** Revisions of one statement, of which a customer needs the newest. */
function reportSuperseded(file: StagedFile): void {
  reportTally(file, file.questions.supersededStatements(), (count) =>
    warning('statements_superseded', ['number'], { count }),
  );
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
  statement_path_shared: reportSharedPaths,
  statements_superseded: reportSuperseded,
};

/** Repetitions that are read at once, so that memory stays bounded. */
const PAGE = 10_000;

/** Records that are the same record for the platform. All are invalid, because only the supplier knows which is right. */
function reportRepetitions(file: StagedFile): void {
  const { job, run, questions } = file;
  const repetitions = questions.repetitions();
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

const NUMBER = 'external_account_number';

function reportIdentifiers(file: StagedFile, idsAreApart: boolean): void {
  const { job, questions } = file;
  const id = DESCRIPTORS[job.resource].idField;
  if (id !== null && !idsAreApart) {
    reportTally(file, questions.collidingIds(), (count) =>
      warning('identifiers_may_collide', [id], { count }),
    );
    reportTally(file, questions.idsOnSeveralAccounts(), (count) =>
      warning('identifier_on_several_accounts', [id], { count }),
    );
  }
  reportTally(file, questions.collidingAccounts(), (count) =>
    warning('identifiers_may_collide', [NUMBER], { count }),
  );
  reportLostZeros(file, 'account', NUMBER);
  if (id !== null) reportLostZeros(file, 'id', id);
}

/** Identifiers of one shape that once had one length. */
function reportLostZeros(file: StagedFile, field: NumberedField, attr: string): void {
  for (const [shape, all] of Map.groupBy(file.questions.numberLengths(field), (each) => each.shape)) {
    const hasZeros = all.some(({ zeroLed }) => zeroLed > 0);
    const twins =
      hasZeros && all.length > 1 ? file.questions.numbersWithAndWithoutZeros(field, shape) : undefined;
    reportTally(file, twins, (count) => warning('leading_zeros_differ', [attr], { count }));
    const found = partlyShortened(all) ?? (field === 'account' ? shortenedNumbers(all) : undefined);
    if (!found) continue;
    const shorter = file.questions.numbersBelow(field, shape, found.usual);
    reportShortened(file, attr, { all, found, shorter });
  }
}

/** Fewer amounts than this prove nothing. */
const LEAST = 20;

function reportSplitSeconds(file: StagedFile): void {
  for (const { field } of DESCRIPTORS[file.job.resource].dates)
    reportTally(file, file.questions.splitSeconds(field), (count) =>
      warning('split_seconds', [field], { count }),
    );
}

/** A charge or a credit may be negative, as a reversal. When all are negative, the sign is most likely the supplier's. */
function reportSigns(file: StagedFile): void {
  const { field } = DESCRIPTORS[file.job.resource].amount!;
  for (const { type, count, negative, first } of file.questions.signedAmounts())
    if (count >= LEAST && negative === count)
      report(file, warning('amounts_all_negative', [field], { count, type }), first);
}

/** A file of statements is taken for major units when every amount is below this, in minor units: 10.00. */
const SMALL_GROSS = 1_000;

/** Amounts are whole minor units. A file in major units has either no cents at all or far too small amounts. */
function reportGrossAmounts(file: StagedFile): void {
  const amounts = file.questions.grossAmounts();
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
