import { DESCRIPTORS } from '../../core/contract/resources.ts';
import { failure, warning } from '../../core/problem.ts';
import { locate } from './locate.ts';
import type { EarlierRecord } from './ports/staging.ts';
import { report, type StagedFile } from './staged-file.ts';

/** Records that are read at once, so that memory stays bounded. */
const PAGE = 10_000;

/**
 * Leaves the records out that earlier runs have brought to the platform. A record whose content or account has changed since
 * is an error, because the platform changes no record. Records that the files no longer have are warnings.
 */
export function takeOnlyNew(file: StagedFile, earlierRecords: Iterable<EarlierRecord>): void {
  const { job, run, counts } = file;
  const { idField } = DESCRIPTORS[job.resource];
  const path = idField === null ? [] : [idField];
  const earlier = run.compareWith(earlierRecords);
  for (let page = earlier.changed(0, PAGE); page.length > 0; page = earlier.changed(page.at(-1)!.seq, PAGE))
    for (const record of page) {
      run.invalidate(record.seq);
      counts.invalid++;
      const { file: since_file, line: since_line, run: since } = record.earlier;
      const problem =
        record.kind === 'changed'
          ? failure('record_changed', path, { since_file, since_line, since })
          : failure('record_moved', ['external_account_number'], { since_file, since_line, since });
      report(file, problem, record);
    }
  earlier.leaveOutUnchanged();
  const whole = { file: job.sources[0]!.name, line: null, column: null, header: null };
  for (
    let page = earlier.vanished(0, PAGE);
    page.length > 0;
    page = earlier.vanished(page.at(-1)!.number, PAGE)
  )
    for (const { file: since_file, line: since_line, run: since } of page)
      run.appendProblem(locate(warning('record_vanished', [], { since_file, since_line, since }), whole));
}
