import type { ErrorCodeEntry } from './entry.ts';

/** What is wrong with the faults that a local platform is told to have. */
export const FAULT_CODES = {
  fault_invalid: row(
    'the fault {rule} is wrong: {reason}',
    'A rule says which requests, when and what happens, then how often: `transactions after-commit reset nth=3`. docs/serve.md, "Faults", has all that it can say.',
  ),
  fault_plan_invalid: row(
    '{file} is not a plan of faults: {reason}',
    'Correct the file; docs/serve.md, "Faults", shows one.',
  ),
} as const satisfies Record<string, ErrorCodeEntry>;

/** 400, because a plan can also come over the admin API. */
function row(sentence: string, next: string): ErrorCodeEntry {
  return { authority: 'chosen', status: 400, retry: 'never', exit: 'USAGE', sentence, next };
}
