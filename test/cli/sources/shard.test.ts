import { describe, expect, test } from 'vitest';
import { shardOf } from '../../../src/cli/sources/shard.ts';
import type { AppError } from '../../../src/core/app-error.ts';

const SLURM = {
  SLURM_ARRAY_TASK_ID: '7',
  SLURM_ARRAY_TASK_MIN: '5',
  SLURM_ARRAY_TASK_MAX: '8',
  SLURM_ARRAY_TASK_COUNT: '4',
};
const KUBERNETES = { JOB_COMPLETION_INDEX: '0', DATAIMPORT_SHARD_COUNT: '4' };
const AWS = { AWS_BATCH_JOB_ARRAY_INDEX: '3', AWS_BATCH_JOB_ARRAY_SIZE: '4' };

describe('--shard auto', () => {
  test.each(
    Object.entries<[Record<string, string>, object]>({
      'a Kubernetes Indexed Job': [KUBERNETES, { index: 1, count: 4 }],
      'an AWS Batch array': [AWS, { index: 4, count: 4 }],
      'a Slurm array': [SLURM, { index: 3, count: 4 }],
      'a Slurm array from 0': [
        { ...SLURM, SLURM_ARRAY_TASK_ID: '0', SLURM_ARRAY_TASK_MIN: '0', SLURM_ARRAY_TASK_MAX: '3' },
        { index: 1, count: 4 },
      ],
      'an array that the job counts as well': [
        { ...AWS, DATAIMPORT_SHARD_COUNT: '4' },
        { index: 4, count: 4 },
      ],
      'an array with an empty count': [
        { ...AWS, DATAIMPORT_SHARD_COUNT: '' },
        { index: 4, count: 4 },
      ],
    }),
  )('is the shard of %s', (_, [env, shard]) => {
    expect(shardOf('auto', env)).toEqual(shard);
  });

  test.each(
    Object.entries<[Record<string, string>, string]>({
      'without a scheduler': [
        {},
        'none of JOB_COMPLETION_INDEX, AWS_BATCH_JOB_ARRAY_INDEX, SLURM_ARRAY_TASK_ID is set',
      ],
      'with the variables of two': [
        { ...AWS, ...SLURM },
        'both AWS_BATCH_JOB_ARRAY_INDEX and SLURM_ARRAY_TASK_ID are set',
      ],
      'without a count': [{ JOB_COMPLETION_INDEX: '0' }, 'DATAIMPORT_SHARD_COUNT is not set'],
      'with an index past the count': [
        { ...KUBERNETES, JOB_COMPLETION_INDEX: '4' },
        'JOB_COMPLETION_INDEX is 4, and a Kubernetes Indexed Job of 4 has numbers from 0 to 3',
      ],
      'with an empty array': [
        { ...KUBERNETES, DATAIMPORT_SHARD_COUNT: '0' },
        'JOB_COMPLETION_INDEX is 0, and a Kubernetes Indexed Job of 0 has numbers from 0 to -1',
      ],
      'with gaps': [
        { ...SLURM, SLURM_ARRAY_TASK_MAX: '11' },
        'a Slurm array of 4 has numbers from 5 to 11, so it has gaps',
      ],
      'of a part of the array': [
        { ...SLURM, DATAIMPORT_SHARD_COUNT: '8' },
        'SLURM_ARRAY_TASK_COUNT is 4, and DATAIMPORT_SHARD_COUNT is 8',
      ],
      'with a word': [
        { ...AWS, AWS_BATCH_JOB_ARRAY_SIZE: '4x' },
        'AWS_BATCH_JOB_ARRAY_SIZE is no number up to 99999',
      ],
      'with nothing': [
        { ...AWS, AWS_BATCH_JOB_ARRAY_INDEX: '' },
        'AWS_BATCH_JOB_ARRAY_INDEX is no number up to 99999',
      ],
      'below 0': [
        { ...AWS, AWS_BATCH_JOB_ARRAY_INDEX: '-1' },
        'AWS_BATCH_JOB_ARRAY_INDEX is no number up to 99999',
      ],
    }),
  )('is refused %s', (_, [env, reason]) => {
    const refused = expect.objectContaining({
      code: 'setting_invalid',
      facts: expect.objectContaining({ reason }) as unknown,
    }) as AppError;
    expect(() => shardOf('auto', env)).toThrow(refused);
  });
});
