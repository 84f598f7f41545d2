import { exchange } from '../../support/server-bytes.ts';
import { answerViolations, storedViolations } from '../invariants/answers.ts';
import { mutatedRequest } from '../mutated-request.ts';
import type { ServedPlatform } from '../served-platform.ts';
import type { CampaignResult } from './campaign-result.ts';
import { inRounds, type Seeds, type SeedResult } from './rounds.ts';

/** How long the server may stay silent, in milliseconds, before the client ends its side of the connection. */
const PATIENCE_MS = 30;

/** The same for a second try. After the short time a busy server may drop an answer, and its records seem unreported. */
const LONG_PATIENCE_MS = 1_000;

/** Sends mutated requests, each on a new connection. */
export function httpCampaign(seeds: Seeds): Promise<CampaignResult> {
  return inRounds({ ...seeds, campaign: 'http', round: 50, send: sentTwiceIfInDoubt });
}

async function sentTwiceIfInDoubt(
  number: number,
  platform: ServedPlatform,
  before: number,
): Promise<SeedResult> {
  const result = await sent(number, platform, { before, patienceMs: PATIENCE_MS });
  if (!result.violations.some(({ invariant }) => invariant === 'I13')) return result;
  await platform.reset();
  return sent(number, platform, { before: 0, patienceMs: LONG_PATIENCE_MS });
}

async function sent(
  number: number,
  platform: ServedPlatform,
  { before, patienceMs }: { readonly before: number; readonly patienceMs: number },
): Promise<SeedResult> {
  const { packets, mutations } = mutatedRequest(number, platform);
  const [first, ...more] = packets;
  const { answers } = await exchange(platform.port, first!, { more, answers: Infinity, patienceMs });
  const stored = await platform.rows();
  return {
    stored,
    counts: {
      requests: 1,
      answers: answers.length,
      ...(answers.length === 0 && { 'closed without an answer': 1 }),
    },
    events: [
      ...mutations.map((name) => `mutation: ${name}`),
      ...answers.map(({ status }) => `answered: ${status}`),
    ],
    violations: [
      // A mutated request does not show whether its answer has a body, because only the answer to HEAD has none.
      ...answers.flatMap(({ status, headers, body }) =>
        answerViolations({ status, body, contentType: headers['content-type'], hasBody: body !== '' }),
      ),
      ...storedViolations(answers, stored - before),
    ],
  };
}
