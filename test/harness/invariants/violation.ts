/** The invariants of reliability.md, "After each"; from I12 on those of the server (bad-inputs.md, "General pass rule"). */
export const INVARIANTS = {
  I1: 'the ledger is what the oracle computes',
  I2: 'every row has one end',
  I3: 'counts and exact sums agree',
  I4: 'the ledger keeps the order of the file',
  I5: 'one request of an account at a time, and never past one in doubt',
  I6: 'nothing is reported as there that is not, nor as not sent, or a transaction as refused, that is there',
  I7: 'after a refusal nothing begins',
  I8: 'no key, token or cell stands in an artefact',
  I9: 'no wait is shorter than asked, and no batch is tried for longer than allowed',
  I10: 'exit code and report agree with the ledger',
  I11: 'a run that is done sends nothing more',
  I12: 'whatever is sent, the answer is one of the interface and no failure',
  I13: 'the platform stores just what it says that it stored',
  I14: 'between bad requests a good one is answered',
  I15: 'memory comes back',
} as const;
export type Invariant = keyof typeof INVARIANTS;

/** An invariant that did not hold, in words. */
export interface Violation {
  readonly invariant: Invariant;
  readonly words: string;
}

export function violation(invariant: Invariant, words: string): Violation {
  return { invariant, words };
}
