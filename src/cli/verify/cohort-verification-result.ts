import { shownAs } from '../output/formats/result-formats.ts';
import { exitDocument } from '../output/json.ts';
import { escapeControl } from '../output/text/text.ts';
import {
  exitOfVerification,
  leftText,
  NOTHING_DIFFERS,
  verificationDocument,
  verificationText,
  type VerificationResult,
} from './verification-result.ts';

/** The verifications of all resources of a cohort (`verify cohort.yaml`). */
export interface CohortVerificationResult extends Pick<
  VerificationResult,
  'differs' | 'isDamaged' | 'left' | 'unproven' | 'uncompared' | 'next'
> {
  readonly name: string;
  readonly parts: readonly VerificationResult[];
}

export const shownCohortVerification = shownAs<CohortVerificationResult>({
  document: ({ name, parts, next }, exit) => ({
    version: 1,
    cohort: name,
    exit: exitDocument(exit),
    resources: parts.map((part) => verificationDocument(part, exitOfVerification(part))),
    next,
  }),
  text: ({ name, parts, differs, left, unproven, uncompared, next }, { paint }) => [
    [
      'stdout',
      parts.map((part) => `${verificationText({ ...part, next: null }, paint('stdout'))}\n`).join(''),
    ],
    [
      'stdout',
      `cohort ${escapeControl(name)}: ${differs ? 'something differs' : NOTHING_DIFFERS}${leftText({ left, unproven, uncompared })}\n`,
    ],
    ['stdout', next === null ? '' : `next: ${escapeControl(next)}\n`],
  ],
});
