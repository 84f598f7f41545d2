/** The invariants of docs/campaigns.md. I12 to I15 are about the server (bad-inputs.md, "General pass rule"). */
export const INVARIANTS = {
  I1: 'the ledger is as the oracle computes it',
  I2: 'every row is accounted for once',
  I3: 'counts and exact sums agree',
  I4: 'the ledger keeps the order of the file',
  I5: 'an account has one request at a time, and no other batch before one in doubt is resolved',
  I6: 'no missing record is reported as present, and no present one as not sent or as a rejected transaction',
  I7: 'no request begins after a refusal',
  I8: 'no artefact contains a key, a token or a cell',
  I9: 'no wait is shorter than asked for, and no batch is tried for longer than allowed',
  I10: 'exit code and report agree with the ledger',
  I11: 'a finished run sends nothing more',
  I12: 'every answer is one of the interface and no failure of the server',
  I13: 'the platform stores exactly the records that it reports as stored',
  I14: 'a valid request between invalid ones is answered',
  I15: 'memory does not grow without end',
  I16: 'no request of several records is larger than allowed',
  I17: 'check and serve under a contract refuse what the document of the operator refuses',
  I18: 'a changed byte of what the chain of a run seals is noticed',
  I19: 'nothing is sent that is no row now and was not in doubt',
  I20: 'a record that has arrived is not sent again',
  I21: 'what another version left in doubt is settled before anything else is sent',
  I22: 'when all causes are repaired, everything arrives, once',
  I23: 'what somebody has tampered with is found, and an honest night is believed',
  I24: 'bytes of a stranger end in an error of the table, in time and in bounded memory',
  I26: '`try` finds nothing wrong with our own push',
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
