import { violation, type Violation } from '../invariants/violation.ts';

/** Allowed growth of a warm process: a factor, and megabytes that a garbage collection leaves. */
const GROWTH = 1.2;
const SLACK_MB = 40;

/** Checks I15. `residentMb` was measured at equal intervals, and the process warms up in the first third. */
export function memoryViolations(residentMb: readonly number[]): readonly Violation[] {
  if (residentMb.length < 6) return [];
  const third = Math.ceil(residentMb.length / 3);
  const [warm, end] = [residentMb.slice(0, third), residentMb.slice(-third)].map(middle) as [number, number];
  if (end <= warm * GROWTH + SLACK_MB) return [];
  return [violation('I15', `memory grew from ${Math.round(warm)} MB to ${Math.round(end)} MB`)];
}

function middle(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}
