import { createHash } from 'node:crypto';

/** What a roll of the dice depends on, so that the order in which requests come changes nothing. */
export interface Roll {
  readonly seed: number;
  /** Place of the rule in the plan: two rules of one probability do not meet the same requests. */
  readonly rule: number;
  /** Digest of the payload. */
  readonly payload: string;
  /** How often that payload has come, with this time. */
  readonly attempt: number;
}

/** A number from 0 up to but not including 1, the same for the same roll. */
export function chanceOf({ seed, rule, payload, attempt }: Roll): number {
  const digest = createHash('sha256').update(`${seed} ${rule} ${attempt} ${payload}`).digest();
  return digest.readUIntBE(0, 6) / 2 ** 48;
}
