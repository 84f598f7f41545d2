import { violation, type Violation } from '../invariants/violation.ts';

/** What a process may take more at its end than it took when it was warm: a share, and what a collection leaves lying. */
const GROWTH = 1.2;
const SLACK_MB = 40;

/** I15: `residentMb` was measured at even distances; the first third is the time to get warm. */
export function memoryViolations(residentMb: readonly number[]): readonly Violation[] {
  if (residentMb.length < 6) return [];
  const third = Math.ceil(residentMb.length / 3);
  const [warm, end] = [residentMb.slice(0, third), residentMb.slice(-third)].map(middle) as [number, number];
  if (end <= warm * GROWTH + SLACK_MB) return [];
  return [violation('I15', `${Math.round(warm)} MB have become ${Math.round(end)} MB`)];
}

function middle(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}
