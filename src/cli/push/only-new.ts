import { DESCRIPTORS } from '../../core/contract/resources.ts';
import { failure, warning } from '../../core/problem.ts';
import { locate } from './locate.ts';
import type { EarlierPosition, EarlierRecord } from './ports/staging.ts';
import { report, type StagedFile } from './staged-file.ts';

/** Records that are read at once, so that memory stays bounded. */
const PAGE = 10_000;

/**
 * Leaves the records out that earlier runs have brought to the platform. A record whose content or account has changed since
 * is an error, because the platform changes no record. Records that the files no longer have are warnings.
 */
export function takeOnlyNew(file: StagedFile, since: Iterable<EarlierRecord>): void {
  const { job, run, counts } = file;
  const { idField } = DESCRIPTORS[job.resource];
  const path = idField === null ? [] : [idField];
  const earlier = run.compareWith(since);
  for (let page = earlier.changed(0, PAGE); page.length > 0; page = earlier.changed(page.at(-1)!.seq, PAGE))
    for (const record of page) {
      run.invalidate(record.seq);
      counts.invalid++;
      const facts = factsOf(record.earlier);
      const problem =
        record.kind === 'changed'
          ? failure('record_changed', path, facts)
          : failure('record_moved', ['external_account_number'], facts);
      report(file, problem, record);
    }
  earlier.leaveOutUnchanged();
  const whole = { file: job.sources[0]!.name, line: null, column: null, header: null };
  for (
    let page = earlier.vanished(0, PAGE);
    page.length > 0;
    page = earlier.vanished(page.at(-1)!.number, PAGE)
  )
    for (const record of page)
      run.appendProblem(locate(warning('record_vanished', [], factsOf(record)), whole));
}

function factsOf({ file, line, run }: EarlierPosition) {
  return { since_file: file, since_line: line, since: run };
}
