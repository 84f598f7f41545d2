import { DESCRIPTORS } from '../../../core/contract/resources.ts';
import { failure, warning } from '../../../core/problem.ts';
import { PAGE, pageByPage } from './batches.ts';
import { locateOwnProblem } from '../own-problem.ts';
import type { Repetition } from '../ports/staging.ts';
import { report, reportTally, type StagedFile } from '../staged-file.ts';

/** Rules between rows whose identities repeat or are alike. Most files have none. */
export function checkRepeated(file: StagedFile): void {
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
export function reportUnusedDocuments({ job: { documents }, run, counts }: StagedFile): void {
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
