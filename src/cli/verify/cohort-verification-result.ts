import { shownAs } from '../output/formats/result-formats.ts';
import { exitDocument } from '../output/json.ts';
import { escapeControl, escapedLines } from '../output/text/text.ts';
import {
  exitOfVerification,
  apartText,
  NOTHING_DIFFERS,
  verificationDocument,
  verificationText,
  type VerificationResult,
} from './verification-result.ts';

/** The verifications of all resources of a cohort (`verify cohort.yaml`). */
export interface CohortVerificationResult extends Pick<
  VerificationResult,
  'differs' | 'isDamaged' | 'apart' | 'confirmedBy' | 'ending' | 'next'
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
  text: ({ name, parts, differs, apart, confirmedBy, next }, { paint }) => [
    [
      'stdout',
      parts.map((part) => `${verificationText({ ...part, next: null }, paint('stdout'))}\n`).join(''),
    ],
    [
      'stdout',
      escapedLines([
        `cohort ${name}: ${differs ? 'something differs' : NOTHING_DIFFERS}${apartText({ apart, confirmedBy })}`,
      ]),
    ],
    ['stdout', next === null ? '' : `next: ${escapeControl(next)}\n`],
  ],
});
