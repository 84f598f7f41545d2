import { answerViolations, storedViolations } from '../invariants/answers.ts';
import { violation, type Violation } from '../invariants/violation.ts';
import { mutatedDocument } from '../mutated-document.ts';
import { isPlainJson } from '../plain-document.ts';
import type { ServedPlatform } from '../served-platform.ts';
import type { CampaignResult } from './campaign-result.ts';
import { inRounds, type Seeds, type SeedResult } from './rounds.ts';

/** Posts mutated documents. */
export function jsonCampaign(seeds: Seeds): Promise<CampaignResult> {
  return inRounds({ ...seeds, campaign: 'json', round: 100, send: posted });
}

async function posted(number: number, platform: ServedPlatform, before: number): Promise<SeedResult> {
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
  // Another parser decides what is JSON. A document that is too large is not parsed at all.
  const isRefusedAsUnreadable = status === 400 && text.includes('"parse_error"');
  const parserViolations: readonly Violation[] =
    status !== 413 && isRefusedAsUnreadable === isPlainJson(body)
      ? [
          violation(
            'I12',
            isRefusedAsUnreadable ? 'valid JSON is rejected' : 'a document that is no plain JSON is accepted',
          ),
        ]
      : [];
  return {
    stored,
    counts: { documents: 1, bytes: body.length },
    events: [
      ...mutations.map((name) => `mutation: ${name}`),
      `answered: ${isRefusedAsUnreadable ? `${status} parse_error` : status}`,
    ],
    violations: [
      ...answerViolations({ status, body: text, contentType, hasBody: true }),
      ...storedViolations([{ status, body: text }], stored - before),
      ...parserViolations,
    ],
  };
}
