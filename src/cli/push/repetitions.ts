import type { Resource } from '../../core/contract/resources.ts';
import { failure, warning } from '../../core/problem.ts';
import type { StagedFile } from './staged-file.ts';
import type { Repetition, Repetitions } from './ports/whole-file.ts';

/** Repetitions that are read at once, so that memory stays bounded. */
const PAGE = 10_000;

/**
 * Records that are one and the same for the platform (reliability.md, "Before the first POST"): both are refused, because
 * nobody but the supplier knows which is right.
 */
export function reportRepetitions(file: StagedFile): void {
  const { job, run } = file;
  const repetitions = run.repetitions();
  if (job.exactDuplicates === 'skip') {
    const skipped = repetitions.leaveOutExact();
    if (skipped) file.report(warning('exact_duplicate_skipped', [], { count: skipped.count }), skipped.first);
  }
  if (job.resource === 'notes') reportIdenticalNotes(file, repetitions);
  const { field, code } = REFUSED[job.resource];
  for (let page = repetitions.page(0, PAGE); page.length > 0;) {
    for (const repetition of page) {
      // Of notes that are the same in everything the platform keeps one, and nothing is lost.
      if (job.resource === 'notes' && repetition.exact) continue;
      run.invalidate(repetition.seq);
      file.counts.invalid++;
      file.report(failure(code, [field], otherOf(repetition, file)), repetition);
    }
    page = repetitions.page(page.at(-1)!.seq, PAGE);
  }
}

/** The platform keeps one of those that it takes for the same, so they may repeat. */
function reportIdenticalNotes(file: StagedFile, repetitions: Repetitions): void {
  const later = repetitions.laterNotes();
  if (!later) return;
  const { count, accounts, first } = later;
  file.report(warning('identical_notes', ['body'], { count, accounts }), first);
}

function otherOf({ other, exact }: Repetition, { job }: StagedFile) {
  return {
    other_file: job.sources[other.source - 1]!.name,
    other_line: other.line,
    other_content: exact ? 'which has the same content' : 'which has other content',
  };
}

/** Which field repeats and what that is called. */
const REFUSED = {
  notes: { field: 'body', code: 'notes_differ' },
  transactions: { field: 'transaction_id', code: 'duplicate_transaction_ids' },
  statements: { field: 'statement_id', code: 'duplicate_statement_ids' },
  'payment-instructions': { field: 'external_account_number', code: 'duplicate_payment_instructions' },
} as const satisfies Record<Resource, { field: string; code: string }>;
