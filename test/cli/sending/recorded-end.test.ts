import { expect, test } from 'vitest';
import { recordEnd } from '../../../src/cli/sending/send-parts.ts';
import { AppError } from '../../../src/core/app-error.ts';

const FULL = new AppError('run_write_failed', { reason: 'the disk is full', remedy: '', resume: '' });
const END = { exit: 'RUN_FILE', reason: { code: FULL.code, facts: FULL.facts } } as const;

/** A run on a disk that has room for its end only after the reserved space is given back. */
function runOnFullDisk(roomAfter: number) {
  const ends: unknown[] = [];
  let releases = 0;
  const run = {
    recordEnd(end: unknown) {
      if (releases < roomAfter) throw FULL;
      ends.push(end);
    },
  };
  return { run, ends, reserved: { release: () => void releases++ }, releases: () => releases };
}

test('the end of a command whose disk is full is recorded in the reserved space', () => {
  const disk = runOnFullDisk(1);
  recordEnd(disk.run, END, disk.reserved);
  expect(disk.ends).toEqual([END]);
});

test('the reserved space stays where there is room, and without any the command ends all the same', () => {
  const [roomy, full] = [runOnFullDisk(0), runOnFullDisk(2)];
  for (const { run, reserved } of [roomy, full]) recordEnd(run, END, reserved);
  expect([roomy.ends, roomy.releases(), full.ends]).toEqual([[END], 0, []]);
});
