import { failure } from '../../../core/problem.ts';
import type { SourceRow } from '../../csv/source-row.ts';
import { NO_CELL } from '../../mapping/column-map.ts';
import type { TrailerCheck } from '../../mapping/mapping-plan.ts';
import type { SourceReport } from './source-report.ts';

/** The control records of one source: the rows of totals at its end. */
export class ControlRecords {
  /** The rows at the end, by their marks. */
  private readonly last = new Map<number, SourceRow>();
  private readonly report: Pick<SourceReport, 'usable' | 'stop' | 'refuse'>;

  constructor(report: ControlRecords['report']) {
    this.report = report;
  }

  add(row: SourceRow, mark: number): void {
    if (this.last.has(mark)) this.assertLast();
    this.last.set(mark, row);
  }

  /** Control records have to be the last rows, so no row may come after one. */
  assertLast(): void {
    const [first] = this.last.values();
    if (first && this.report.usable)
      this.report.stop(
        failure('trailer_unreadable', [], { reason: 'the control record is not the last row of the file' }),
        first.firstLine,
      );
  }

  /** Compares the rows at the end with all rows. A control record that is not there is missing after `lastLine`. */
  checkEnd(trailer: TrailerCheck | null, lastLine: number): void {
    for (let mark = 0; trailer && mark < trailer.trailers; mark++) {
      const row = this.last.get(mark);
      if (!row)
        return this.report.stop(
          failure('trailer_unreadable', [], {
            reason: 'the file ends without the control record that the mapping expects',
          }),
          lastLine,
        );
      for (const { problem, cell } of trailer.verdict(mark, row))
        this.report.refuse(problem, row.firstLine, cell ?? NO_CELL);
    }
  }
}
