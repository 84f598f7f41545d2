import { InvalidArgumentError } from 'commander';
import type { AccountKey } from '../../core/contract/account.ts';
import type { Resource } from '../../core/contract/resources.ts';
import { readCohort } from '../cohort/read-cohort.ts';
import type { CommandContext, CommandDeclaration, CommandEnd } from '../command.ts';
import { mostConcurrency } from '../connection.ts';
import {
  assertRowsOrCohort,
  collect,
  declareRowsOrCohort,
  flagValue,
  gzipRatioOption,
  isCohortFile,
  showValuesOption,
  type SourceFlags,
} from '../flags.ts';
import { forecastOf, longestAccountMs, rateLimitMs } from '../forecast/forecast.ts';
import { nightOf, type NightRequest } from '../forecast/night.ts';
import { mostAtOnceIn } from '../forecast/samples.ts';
import type { PlanPart, PlanResult } from '../output/plan-result.ts';
import { totalsOfRequests } from '../push/plan.ts';
import type { RunFile } from '../run-file/run-file.ts';
import { appliedContract } from '../runs/applied-contract.ts';
import { checkedFiles } from '../runs/checked-files.ts';
import { resourceFlags } from '../sending/cohort-files.ts';
import { cohortSettings } from '../sending/cohort-settings.ts';
import { listenForInterruption } from '../runs/interruption.ts';
import { rehearsalOf } from '../runs/rehearsal.ts';
import { rateOf } from '../sending/drain-runs.ts';
import { checkEnding } from '../runs/check-ending.ts';
import { batchLimits } from '../sending/batch-limits.ts';
import { count } from '../settings/parsers.ts';
import type { Settings } from '../settings/settings.ts';
import { readText } from '../typed-file.ts';
import { compareAccounts } from '../verify/record-groups.ts';

export interface PlanOptions extends SourceFlags {
  /** The runs and cohorts of the rehearsal, as they were typed. */
  readonly from: readonly string[];
  /** When the night begins, in minutes after midnight. */
  readonly start?: number;
  /** Seed of the nights that are played. */
  readonly seed: number;
}

export const command: CommandDeclaration<PlanOptions> = {
  description:
    'Reads and checks the files as a push does, or those of a cohort file as `migrate` does, and says how long sending them will take, as an interval: from the times of the requests of an earlier run or cohort. Sends nothing. The night has to be like the rehearsal: the same platform, with as much other load.',
  examples: [
    'dataimport plan transactions transactions.csv --from 20261121-101502-transactions-4f2a --start 22:00',
    'dataimport plan cohort.yaml --from rehearsal --start 22:00',
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
    declareRowsOrCohort(command);
    command
      .requiredOption(
        '--from <run>',
        'the rehearsal: id of a run, name of a cohort, run file, or folder of run files; several are one rehearsal',
        collect,
      )
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

/** The numbers of requests at once that are shown beside the chosen one. */
const COMPARED = [4, 8, 16, 32, 64] as const;

async function run(options: PlanOptions, context: CommandContext): Promise<CommandEnd> {
  const { io } = context;
  const given = await context.settings();
  const excluded = options.map ? '--map' : options.corrections && '--corrections';
  assertRowsOrCohort(options, { excluded, command: 'plan' });
  // The declaration takes the name of a cohort file in this place, too.
  const typed: string = options.resource;
  const cohort = isCohortFile(typed) ? readCohort(typed, readText(typed, io.cwd)) : undefined;
  const settings = cohort ? cohortSettings(cohort, given, io) : given;
  const flags = cohort ? resourceFlags(cohort, io.cwd).map((each) => ({ ...options, ...each })) : [options];
  const checked = await checkedParts(flags, settings, context);
  if (!('parts' in checked)) return checked;
  const { parts } = checked;
  const needed = new Map(parts.map(({ resource, totals }) => [resource, totals.requests]));
  const rehearsal = rehearsalOf(options.from, needed, { cwd: io.cwd, runDir: given.need('runDir') });
  const { samples } = rehearsal;
  const chosen = mostConcurrency(settings);
  const rate = rateOf(settings, parts[0]!.run.header.options.selection.shard?.count ?? 1);
  const pace = { concurrency: chosen, rate };
  const night = nightOf(cohort ? inAccountOrder(parts) : requestsOf(parts[0]!), pace);
  const forecasts = [...new Set([...COMPARED, chosen])]
    .toSorted((a, b) => a - b)
    .map((concurrency) => forecastOf({ ...night, concurrency }, samples, options.seed));
  const bytes = parts
    .flatMap(({ run: { header } }) => header.sources)
    .reduce((sum, file) => sum + file.bytes, 0);
  const share = bytes / rehearsal.bytes;
  const all = [...samples.values()].flat();
  const result: PlanResult = {
    kind: 'plan',
    cohort: cohort?.name,
    from: options.from,
    seed: options.seed,
    startMinute: options.start,
    parts: parts.map((part) => ({
      resource: part.resource,
      totals: part.totals,
      forecast: cohort ? forecastOf(nightOf(requestsOf(part), pace), samples, options.seed) : undefined,
    })),
    accounts: night.accounts.length,
    chosen,
    rate,
    forecasts,
    readingMs: {
      lowMs: rehearsal.readingMs * Math.min(1, share),
      highMs: rehearsal.readingMs * Math.max(1, share),
    },
    longestAccountMs: longestAccountMs(night, samples),
    rateLimitMs: rateLimitMs(night),
    basis: {
      requests: all.length,
      medianMs: all.map(({ busyMs }) => busyMs).toSorted((a, b) => a - b)[all.length >> 1]!,
      mostAtOnce: mostAtOnceIn(samples),
      retried: all.filter(({ pauseMs }) => pauseMs > 0).length,
    },
  };
  return { exit: 'OK', result };
}

/** The files of one resource, read and checked. */
interface CheckedPart extends Pick<PlanPart, 'resource' | 'totals'> {
  readonly run: RunFile;
}

/** Reads and checks the files of each resource. The end of the command when they cannot be sent. */
async function checkedParts(
  flags: readonly SourceFlags[],
  settings: Settings,
  context: CommandContext,
): Promise<{ readonly parts: readonly CheckedPart[] } | CommandEnd> {
  const contract = await appliedContract(settings, context.io.cwd);
  const interruption = listenForInterruption(context, { sends: false });
  const parts: CheckedPart[] = [];
  for (const each of flags) {
    const { resource } = each;
    const limits = batchLimits(resource, settings, contract);
    const ports = { ports: context, interruption };
    const { run, staged } = await checkedFiles(each, settings, ports, { contract, keeps: 'records', limits });
    if (staged.kind !== 'staged') {
      const ending = checkEnding(staged, interruption, NEXT_STEPS);
      return { exit: ending.exit, result: { kind: 'check', report: run.report(), ending } };
    }
    const { largest: _, ...totals } = totalsOfRequests(resource, run.plannedRequests());
    parts.push({ resource, run, totals });
  }
  return { parts };
}

type RequestOfAccount = NightRequest & { readonly account: AccountKey };

function* requestsOf({ resource, run }: { readonly resource: Resource; readonly run: RunFile }) {
  for (const { account, records } of run.plannedRequests())
    yield { resource, account, records } satisfies RequestOfAccount;
}

/** `migrate` sends accounts in the order of supplier and number, and the requests of each in the order of the resources. */
function inAccountOrder(parts: readonly CheckedPart[]): readonly RequestOfAccount[] {
  return parts
    .flatMap((part) => [...requestsOf(part)])
    .toSorted((a, b) => compareAccounts(a.account, b.account));
}

const NEXT_STEPS = {
  staged: null,
  invalid: 'correct the problems, then type the same command again',
  interrupted: 'the plan is incomplete: type the same command again',
};
