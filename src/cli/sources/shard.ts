import { AppError } from '../../core/app-error.ts';
import type { Io } from '../outside/io.ts';
import type { Shard } from '../push/ports/run.ts';

/** How a scheduler numbers the processes of one job, in its variables. */
interface Scheduler {
  readonly name: string;
  /** Its variable with the number of this process. Without it the process was not started by this scheduler. */
  readonly index: string;
  /** Its variable with the number of all processes. */
  readonly count: string;
  /** Its variables with the lowest and the highest number of a process. Default: from 0 to one less than the count. */
  readonly range?: readonly [lowest: string, highest: string];
}

/** Kubernetes has no variable for the count, so the job has to set this one. Elsewhere it may be set, and must agree. */
const OWN_COUNT = 'DATAIMPORT_SHARD_COUNT';

const SCHEDULERS: readonly Scheduler[] = [
  { name: 'a Kubernetes Indexed Job', index: 'JOB_COMPLETION_INDEX', count: OWN_COUNT },
  { name: 'an AWS Batch array', index: 'AWS_BATCH_JOB_ARRAY_INDEX', count: 'AWS_BATCH_JOB_ARRAY_SIZE' },
  {
    name: 'a Slurm array',
    index: 'SLURM_ARRAY_TASK_ID',
    count: 'SLURM_ARRAY_TASK_COUNT',
    range: ['SLURM_ARRAY_TASK_MIN', 'SLURM_ARRAY_TASK_MAX'],
  },
];

/** The most shards, as with `--shard i/n`. */
const MOST = 99_999;

/**
 * The shard of this process. `auto`: as the scheduler that started it says.
 * @throws AppError `setting_invalid` when no scheduler says it, or two do, or some shard would have no process
 */
export function shardOf(flag: Shard | 'auto' | undefined, env: Io['env']): Shard | undefined {
  if (flag !== 'auto') return flag;
  const [scheduler, second] = SCHEDULERS.filter(({ index }) => env[index] !== undefined);
  if (!scheduler) {
    const names = SCHEDULERS.map(({ index }) => index).join(', ');
    throw unclear(`none of ${names} is set`);
  }
  if (second) throw unclear(`both ${scheduler.index} and ${second.index} are set`);
  return shardBy(scheduler, env);
}

function shardBy({ name, index, count, range }: Scheduler, env: Io['env']): Shard {
  const shards = numberIn(env, count);
  const [lowest, highest] = range ? [numberIn(env, range[0]), numberIn(env, range[1])] : [0, shards - 1];
  const number = numberIn(env, index);
  if (highest - lowest + 1 !== shards)
    throw unclear(`${name} of ${shards} has numbers from ${lowest} to ${highest}, so it has gaps`);
  if (number < lowest || number > highest)
    throw unclear(`${index} is ${number}, and ${name} of ${shards} has numbers from ${lowest} to ${highest}`);
  // A job that starts only some of the processes again counts only those. Templates leave a variable without a value empty.
  const meant = env[OWN_COUNT] ? numberIn(env, OWN_COUNT) : shards;
  if (meant !== shards) throw unclear(`${count} is ${shards}, and ${OWN_COUNT} is ${meant}`);
  return { index: number - lowest + 1, count: shards };
}

function numberIn(env: Io['env'], variable: string): number {
  const text = env[variable];
  if (text === undefined) throw unclear(`${variable} is not set`);
  const number = Number.parseInt(text, 10);
  if (!/^\d{1,9}$/.test(text) || number > MOST) throw unclear(`${variable} is no number up to ${MOST}`);
  return number;
}

const unclear = (reason: string): AppError =>
  new AppError('setting_invalid', { setting: 'shard', source: '--shard auto', reason, accepted: SHARDS });

const SHARDS =
  'a Kubernetes Indexed Job with DATAIMPORT_SHARD_COUNT, an AWS Batch array or a Slurm array without gaps, or --shard i/n';
