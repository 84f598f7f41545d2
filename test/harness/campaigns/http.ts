import { exchange } from '../../support/server-bytes.ts';
import { answerViolations, storedBy } from '../invariants/answers.ts';
import { violation, type Violation } from '../invariants/violation.ts';
import { mutatedRequest } from '../mutated-request.ts';
import { servedPlatform, type ServedPlatform } from '../served-platform.ts';
import { Tally, type CampaignResult, type FoundViolation } from './campaign-result.ts';
import { memoryViolations } from './memory.ts';

/** After so many requests the platform is asked whether it is well, and forgets its records. */
const ROUND = 50;

/** How long the server may stay silent, in milliseconds, before it is told that nothing more comes. */
const PATIENCE_MS = 30;

/** The same for a second try: told so early, a busy server drops an answer, and what it stored looks like too much. */
const LONG_PATIENCE_MS = 1_000;

/** Requests to which something was done, each on a connection of its own, against `serve` in a process of its own. */
export async function httpCampaign({
  seed,
  count,
}: {
  readonly seed: number;
  readonly count: number;
}): Promise<CampaignResult> {
  const started = performance.now();
  const [counts, happened] = [new Tally(), new Tally()];
  const violations: FoundViolation[] = [];
  const platform = await servedPlatform();
  const memory: number[] = [];
  try {
    let stored = 0;
    for (let number = seed; number < seed + count; number++) {
      let told = await sent(number, platform, { before: stored, patienceMs: PATIENCE_MS });
      if (told.violations.some(({ invariant }) => invariant === 'I13')) {
        await platform.reset();
        told = await sent(number, platform, { before: 0, patienceMs: LONG_PATIENCE_MS });
      }
      stored = told.stored;
      counts.add('requests');
      counts.add('answers', told.statuses.length);
      if (told.statuses.length === 0) counts.add('closed without an answer');
      for (const name of told.mutations) happened.add(`done: ${name}`);
      for (const status of told.statuses) happened.add(`answered: ${status}`);
      violations.push(...told.violations.map((each) => ({ ...each, scenario: `seed ${number}` })));
      if ((number - seed) % ROUND === ROUND - 1) {
        const isWell = await platform.isWell();
        counts.add('good requests between', 1);
        if (!isWell)
          violations.push({
            ...violation('I14', 'a good request is refused'),
            scenario: `after seed ${number}`,
          });
        stored = 0;
        memory.push(platform.residentMb());
      }
    }
    violations.push(...memoryViolations(memory).map((each) => ({ ...each, scenario: `seeds from ${seed}` })));
  } finally {
    await platform.stop();
  }
  counts.add('MB at the start', Math.round(memory[0] ?? 0));
  counts.add('MB at the end', Math.round(memory.at(-1) ?? 0));
  const seconds = (performance.now() - started) / 1000;
  return { campaign: 'http', counts: counts.counts, happened: happened.sorted(), violations, seconds };
}

async function sent(
  number: number,
  platform: ServedPlatform,
  { before, patienceMs }: { readonly before: number; readonly patienceMs: number },
) {
  const { packets, mutations } = mutatedRequest(number, platform);
  const [first, ...more] = packets;
  const { answers } = await exchange(platform.port, first!, { more, answers: Infinity, patienceMs });
  const stored = await platform.rows();
  // Nothing of a request tells for sure whether its answer has a body; only HEAD's has none although one is announced.
  const violations: Violation[] = answers.flatMap(({ status, headers, body }) =>
    answerViolations({ status, body, contentType: headers['content-type'], hasBody: body !== '' }),
  );
  const told = answers.reduce((sum, answer) => sum + storedBy(answer), 0);
  if (stored - before !== told)
    violations.push(violation('I13', `${told} records are told as stored, ${stored - before} are`));
  return { stored, mutations, violations, statuses: answers.map(({ status }) => status) };
}
