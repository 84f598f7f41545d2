import type { ExitName } from '../output/exit-codes.ts';
import type { RowCounts, RunReport } from '../push/ports/report.ts';
import { shownAs } from '../output/formats/result-formats.ts';
import { exitDocument } from '../output/json.ts';
import { checkDocumentOf, type Ending } from '../output/run/run-document.ts';
import { runSummary } from '../output/run/run-summary.ts';
import { columnsText } from '../output/text/table.ts';
import { escapeControl } from '../output/text/text.ts';

export interface MergedShard {
  readonly index: number;
  readonly count: number;
  /** Id of its run. */
  readonly run: string;
  readonly folder: string;
  /** How it ended. */
  readonly exit: ExitName;
  readonly rows: RowCounts;
}

/** All shards of a file as one (`runs merge`). The report has no problems, because each shard reports its own. */
export interface MergedShardsResult {
  readonly target: string;
  readonly contentSha256: string;
  readonly shards: readonly MergedShard[];
  readonly report: RunReport;
  readonly ending: Ending;
  /** The longest time of a shard. */
  readonly durationMs: number;
  readonly notes: readonly string[];
}

export const shownMergedShards = shownAs<MergedShardsResult>({
  document(result) {
    const { target, contentSha256, shards, report, durationMs } = result;
    const { groups: _, problems: __, problems_total: ___, ...document } = checkDocumentOf(result);
    return {
      ...document,
      target,
      content_sha256: contentSha256,
      shards: shards.map(({ index, count, exit, ...shard }) => ({
        shard: `${index}/${count}`,
        ...shard,
        exit: exitDocument(exit),
        rows: { ...shard.rows },
      })),
      requests: {
        total: report.requests.total,
        retried: report.requests.retried,
        by_status: { ...report.requests.byStatus },
      },
      accounts: { ...report.accounts },
      duration_ms: Math.round(durationMs),
    };
  },
  text: (result) => shardsText(result.shards) + runSummary({ ...result, run: null }),
});

/** The columns of the outcomes that some shard has. */
function shardsText(shards: readonly MergedShard[]): string {
  const outcomes = OUTCOMES.filter(([name]) => shards.some(({ rows }) => rows[name] > 0));
  const rows = shards.map(({ index, count, run, exit, rows: counts }) => [
    `${index}/${count}`,
    escapeControl(run),
    exit,
    ...outcomes.map(([name]) => String(counts[name])),
  ]);
  const heading = ['shard', 'run', 'exit', ...outcomes.map(([, word]) => word)];
  return columnsText([heading, ...rows], ['left', 'left', 'left', ...outcomes.map(() => 'right' as const)]);
}

/** Rows that a shard left out for the others are not shown, so the columns add up to more than one shard read. */
const OUTCOMES = [
  ['created', 'created'],
  ['existing', 'existing'],
  ['uncompared', 'not compared'],
  ['confirmed', 'confirmed'],
  ['sent_before', 'sent before'],
  ['verify', 'verify'],
  ['rejected', 'rejected'],
  ['unknown', 'unknown'],
  ['not_sent', 'not sent'],
] as const;
