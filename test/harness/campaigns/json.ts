import { answerViolations, storedViolations } from '../invariants/answers.ts';
import { violation, type Violation } from '../invariants/violation.ts';
import { mutatedDocument } from '../mutated-document.ts';
import { isPlainJson } from '../plain-document.ts';
import type { ServedPlatform } from '../served-platform.ts';
import type { CampaignResult } from './campaign-result.ts';
import { inRounds, type Seeds, type Told } from './rounds.ts';

/** Documents to which something was done, POSTed. */
export function jsonCampaign(seeds: Seeds): Promise<CampaignResult> {
  return inRounds({ ...seeds, campaign: 'json', round: 100, send: posted });
}

async function posted(number: number, platform: ServedPlatform, before: number): Promise<Told> {
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
  // Another reader decides what is JSON; what is too large is read by nobody.
  const isRefusedAsUnreadable = status === 400 && text.includes('"parse_error"');
  const readingViolations: readonly Violation[] =
    status !== 413 && isRefusedAsUnreadable === isPlainJson(body)
      ? [violation('I12', isRefusedAsUnreadable ? 'JSON is not read' : 'what is no plain JSON is read')]
      : [];
  return {
    stored,
    counts: { documents: 1, bytes: body.length },
    happened: [
      ...mutations.map((name) => `done: ${name}`),
      `answered: ${isRefusedAsUnreadable ? `${status} parse_error` : status}`,
    ],
    violations: [
      ...answerViolations({ status, body: text, contentType, hasBody: true }),
      ...storedViolations([{ status, body: text }], stored - before),
      ...readingViolations,
    ],
  };
}
