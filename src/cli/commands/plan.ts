import { InvalidArgumentError } from 'commander';
import { AppError } from '../../core/app-error.ts';
import { clockOfInstant } from '../../core/values/instant.ts';
import type { CommandContext, CommandDeclaration, CommandEnd } from '../command.ts';
import { declareRows, flagValue, gzipRatioOption, showValuesOption, type SourceFlags } from '../flags.ts';
import { forecastOf, longestAccountMs, rateLimitMs } from '../forecast/forecast.ts';
import { nightOf } from '../forecast/night.ts';
import { samplesOf, type Sample } from '../forecast/samples.ts';
import { totalsOfRequests } from '../push/plan.ts';
import { RunsFolder } from '../run-file/runs-folder.ts';
import type { RunFile } from '../run-file/run-file.ts';
import { appliedContract } from '../runs/applied-contract.ts';
import { checkedFiles } from '../runs/checked-files.ts';
import { listenForInterruption } from '../runs/interruption.ts';
import { rateOf } from '../runs/send.ts';
import { batchLimits, unsentEnding } from '../runs/stage.ts';
import { count } from '../settings/parsers.ts';

export interface PlanOptions extends SourceFlags {
  /** Id of the run of the rehearsal. */
  readonly from: string;
  /** When the night begins, in minutes after midnight. */
  readonly start?: number;
  /** Seed of the nights that are played. */
  readonly seed: number;
}

export const command: CommandDeclaration<PlanOptions> = {
  description:
    'Reads and checks the files as a push does, and says how long sending them will take, as an interval: from the times of the requests of an earlier run. Sends nothing. The night has to be like the rehearsal: the same platform, with as much other load.',
  examples: [
    'dataimport plan transactions transactions.csv --from 20261121-101502-transactions-4f2a --start 22:00',
    'dataimport plan notes notes.csv --from 20261121-101502-notes-4f2a --concurrency 16 --rate-limit 20/s',
  ],
  settings: [
    'supplier',
    'contract',
    'earliestDate',
    'batchSize',
    'maxBatchBytes',
    'concurrency',
    'rateLimit',
    'rateLimitTotal',
    'runDir',
  ],
  declare(command) {
    declareRows(command);
    command
      .requiredOption('--from <run>', 'id of the run that was the rehearsal')
      .option('--start <hh:mm>', 'when the push will begin, to name the time of its end', timeOfDay)
      .option('--seed <n>', 'seed of the nights that are played', flagValue(count({ max: 999_999_999 })), 1)
      .addOption(gzipRatioOption())
      .addOption(showValuesOption());
  },
  run,
};

/** `22:05`, in minutes after midnight. */
function timeOfDay(text: string): number {
  const match = /^([01]?\d|2[0-3]):([0-5]\d)$/.exec(text);
  if (!match) throw new InvalidArgumentError('give a time of the day such as 22:00.');
  return 60 * Number.parseInt(match[1]!, 10) + Number.parseInt(match[2]!, 10);
}

/** Fewer requests say nothing about the next ones. */
const FEWEST_SAMPLES = 20;

/** The numbers of requests at once that are shown beside the chosen one. */
const COMPARED = [4, 8, 16, 32] as const;

async function run(options: PlanOptions, context: CommandContext): Promise<CommandEnd> {
  const { io } = context;
  const settings = await context.settings();
  const rehearsal = rehearsalOf(options, new RunsFolder(settings.need('runDir')));
  const contract = await appliedContract(settings, io.cwd);
  const interruption = listenForInterruption(context);
  const limits = batchLimits(options.resource, settings, contract);
  const checked = await checkedFiles(
    options,
    settings,
    { ports: context, interruption },
    { contract, keeps: 'records', limits },
  );
  const { run: planned, staged } = checked;
  if (staged.kind !== 'staged') {
    const ending = unsentEnding(staged, interruption, NEXT_STEPS);
    return { exit: ending.exit, result: { kind: 'check', report: planned.report(), ending } };
  }
  const { largest: _, ...totals } = totalsOfRequests(options.resource, planned.plannedRequests());
  const chosen = settings.need('concurrency');
  const rate = rateOf(planned, settings);
  const night = nightOf(planned.plannedRequests(), { concurrency: chosen, rate });
  const { samples, readingMs } = rehearsal;
  const share = planned.header.sources.reduce((sum, { bytes }) => sum + bytes, 0) / rehearsal.bytes;
  const forecasts = [...new Set([...COMPARED, chosen])]
    .toSorted((a, b) => a - b)
    .map((concurrency) => forecastOf({ ...night, concurrency }, samples, options.seed));
  return {
    exit: 'OK',
    result: {
      kind: 'plan',
      resource: options.resource,
      from: options.from,
      seed: options.seed,
      startMinute: options.start,
      totals,
      chosen,
      rate,
      forecasts,
      readingMs: { lowMs: readingMs * share, highMs: readingMs * Math.max(1, share) },
      longestAccountMs: longestAccountMs(night, samples),
      rateLimitMs: rateLimitMs(night),
      basis: {
        requests: samples.length,
        medianMs: samples.map(({ busyMs }) => busyMs).toSorted((a, b) => a - b)[samples.length >> 1]!,
        mostAtOnce: Math.max(...samples.map(({ atOnce }) => atOnce)),
        retried: samples.filter(({ pauseMs }) => pauseMs > 0).length,
      },
    },
  };
}

/** What the run of a rehearsal says about the next one. */
interface Rehearsal {
  readonly samples: readonly Sample[];
  /** How long its files were read before the first request, in milliseconds. */
  readonly readingMs: number;
  readonly bytes: number;
}

/** @throws AppError `plan_without_basis`, and those of `RunsFolder.open` */
function rehearsalOf({ from, resource }: PlanOptions, folder: RunsFolder): Rehearsal {
  const run = folder.open(from);
  try {
    return rehearsalIn(run, resource);
  } finally {
    run.close();
  }
}

function rehearsalIn(run: RunFile, resource: string): Rehearsal {
  const { id, resource: rehearsed, createdAt, sources } = run.header;
  const unusable = (reason: string): AppError => new AppError('plan_without_basis', { run: id, reason });
  if (rehearsed !== resource) throw unusable(`it sent ${rehearsed}, and the plan is for ${resource}`);
  const timings = run.attemptTimings();
  const samples = samplesOf(timings);
  if (samples.length < FEWEST_SAMPLES)
    throw unusable(`${samples.length} of its requests were answered, and ${FEWEST_SAMPLES} are needed`);
  const firstMs = timings.reduce((first, { startedMs }) => Math.min(first, startedMs), Infinity);
  return {
    samples,
    readingMs: Math.max(0, firstMs - clockOfInstant(createdAt)),
    bytes: sources.reduce((sum, { bytes }) => sum + bytes, 1),
  };
}

const NEXT_STEPS = {
  staged: null,
  invalid: 'correct the problems, then type the same command again',
  interrupted: 'the plan is incomplete: type the same command again',
};
