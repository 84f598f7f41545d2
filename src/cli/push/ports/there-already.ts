import { DESCRIPTORS } from '../../../core/contract/resources.ts';

/** Codes of refusals that say that the platform has the record. Every further attempt meets the same refusal. */
export const THERE_ALREADY: readonly string[] = Object.values(DESCRIPTORS).flatMap(
  ({ lostAnswer }) => lostAnswer.present?.code ?? [],
);
