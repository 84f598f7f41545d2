import { exchange } from '../../support/server-bytes.ts';
import { answerViolations, storedViolations } from '../invariants/answers.ts';
import { mutatedRequest } from '../mutated-request.ts';
import type { ServedPlatform } from '../served-platform.ts';
import type { CampaignResult } from './campaign-result.ts';
import { inRounds, type Seeds, type Told } from './rounds.ts';

/** How long the server may stay silent, in milliseconds, before it is told that nothing more comes. */
const PATIENCE_MS = 30;

/** The same for a second try: told so early, a busy server drops an answer, and what it stored looks like too much. */
const LONG_PATIENCE_MS = 1_000;

/** Requests to which something was done, each on a connection of its own. */
export function httpCampaign(seeds: Seeds): Promise<CampaignResult> {
  return inRounds({ ...seeds, campaign: 'http', round: 50, send: sentTwiceIfInDoubt });
}

async function sentTwiceIfInDoubt(number: number, platform: ServedPlatform, before: number): Promise<Told> {
  const told = await sent(number, platform, { before, patienceMs: PATIENCE_MS });
  if (!told.violations.some(({ invariant }) => invariant === 'I13')) return told;
  await platform.reset();
  return sent(number, platform, { before: 0, patienceMs: LONG_PATIENCE_MS });
}

async function sent(
  number: number,
  platform: ServedPlatform,
  { before, patienceMs }: { readonly before: number; readonly patienceMs: number },
): Promise<Told> {
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
    happened: [
      ...mutations.map((name) => `done: ${name}`),
      ...answers.map(({ status }) => `answered: ${status}`),
    ],
    violations: [
      // Nothing of a request tells for sure whether its answer has a body; only HEAD's has none although one is announced.
      ...answers.flatMap(({ status, headers, body }) =>
        answerViolations({ status, body, contentType: headers['content-type'], hasBody: body !== '' }),
      ),
      ...storedViolations(answers, stored - before),
    ],
  };
}
