import { ANSWER_DECISIONS } from './answer-decisions.ts';
import type { Decision } from './decision.ts';
import { DOOR_DECISIONS } from './door-decisions.ts';
import { REQUEST_DECISIONS } from './request-decisions.ts';
import { VALUE_DECISIONS } from './value-decisions.ts';

/** In the order in which a request meets them. */
export const DECISIONS: readonly Decision[] = [
  ...DOOR_DECISIONS,
  ...REQUEST_DECISIONS,
  ...VALUE_DECISIONS,
  ...ANSWER_DECISIONS,
];
