import { answerViolations, storedBy } from '../invariants/answers.ts';
import { violation, type Violation } from '../invariants/violation.ts';
import { mutatedDocument } from '../mutated-document.ts';
import { isPlainJson } from '../plain-document.ts';
import { servedPlatform, type ServedPlatform } from '../served-platform.ts';
import { Tally, type CampaignResult, type FoundViolation } from './campaign-result.ts';
import { memoryViolations } from './memory.ts';

/** After so many documents the platform is asked whether it is well, and forgets its records. */
const ROUND = 100;

/** Documents to which something was done, POSTed to `serve` in a process of its own. */
export async function jsonCampaign({
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
      const told = await posted(number, platform, stored);
      stored = told.stored;
      counts.add('documents');
      counts.add('bytes', told.bytes);
      for (const name of told.mutations) happened.add(`done: ${name}`);
      happened.add(`answered: ${told.answer}`);
      violations.push(...told.violations.map((each) => ({ ...each, scenario: `seed ${number}` })));
      if ((number - seed) % ROUND !== ROUND - 1) continue;
      counts.add('good requests between');
      if (!(await platform.isWell()))
        violations.push({
          ...violation('I14', 'a good request is refused'),
          scenario: `after seed ${number}`,
        });
      stored = 0;
      memory.push(platform.residentMb());
    }
    violations.push(...memoryViolations(memory).map((each) => ({ ...each, scenario: `seeds from ${seed}` })));
  } finally {
    await platform.stop();
  }
  counts.add('MB at the start', Math.round(memory[0] ?? 0));
  counts.add('MB at the end', Math.round(memory.at(-1) ?? 0));
  const seconds = (performance.now() - started) / 1000;
  return { campaign: 'json', counts: counts.counts, happened: happened.sorted(), violations, seconds };
}

async function posted(number: number, platform: ServedPlatform, before: number) {
  const { path, body, mutations } = mutatedDocument(number);
  const response = await fetch(`${platform.url}/v1/data-import/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Token ${platform.token}` },
    body,
  });
  const text = await response.text();
  const { status } = response;
  const stored = await platform.rows();
  const contentType = response.headers.get('content-type') ?? undefined;
  const violations: Violation[] = [...answerViolations({ status, body: text, contentType, hasBody: true })];
  const told = storedBy({ status, body: text });
  if (stored - before !== told)
    violations.push(violation('I13', `${told} records are told as stored, ${stored - before} are`));
  // Another reader decides what is JSON; what is too large is read by nobody.
  const isRefusedAsUnreadable = status === 400 && text.includes('"parse_error"');
  if (status !== 413 && isRefusedAsUnreadable === isPlainJson(body))
    violations.push(
      violation('I12', isRefusedAsUnreadable ? 'JSON is not read' : 'what is no plain JSON is read'),
    );
  const answer = isRefusedAsUnreadable ? `${status} parse_error` : String(status);
  return { stored, mutations, violations, answer, bytes: body.length };
}
