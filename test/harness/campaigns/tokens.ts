import { Pool } from 'undici';
import { violation } from '../invariants/violation.ts';
import { servedPlatform, type ServedPlatform } from '../served-platform.ts';
import { besideCrowd, type Crowd } from './beside.ts';
import { Tally, type CampaignResult } from './campaign-result.ts';
import { memoryViolations } from './memory.ts';

/** How often the memory is looked at while wrong tokens come. */
const LOOKS = 12;

/** Connections of those who guess. */
const CONNECTIONS = 16;

/** Tokens that are none: junk, the key itself, a true one with another signature, with other content, cut, and far too long. */
const WRONG: readonly ((token: string) => string)[] = [
  () => 'wrong',
  () => 'campaign-key',
  (token) => token.slice(0, -4) + (token.endsWith('AAAA') ? 'BBBB' : 'AAAA'),
  (token) => `x${token}`,
  (token) => token.slice(0, token.length / 2),
  (token) => token + 'x'.repeat(12_000),
];

interface TokensAsked {
  /** Wrong tokens, all of them while the good requests beside them are measured. */
  readonly count: number;
  /** Of each of the three measurements. */
  readonly seconds: number;
}

/** Good requests beside those who guess tokens. */
export async function tokensCampaign({ count, seconds }: TokensAsked): Promise<CampaignResult> {
  const platform = await servedPlatform();
  try {
    const comes = async (): Promise<Crowd> => guessersAt(platform, { count, seconds });
    return await besideCrowd({ campaign: 'tokens', platform, seconds, comes });
  } finally {
    await platform.stop();
  }
}

/** Sends the wrong tokens, evenly; each wants to be a 401 (I12), and the memory of the server to stay flat (I15). */
function guessersAt(platform: ServedPlatform, { count, seconds }: TokensAsked): Crowd {
  const pool = new Pool(platform.url, { connections: CONNECTIONS, pipelining: 1 });
  const answered = new Tally();
  const memory: number[] = [];
  const guess = async (number: number): Promise<void> => {
    const token = WRONG[number % WRONG.length]!(platform.token);
    const { statusCode, body } = await pool.request({
      method: 'GET',
      path: '/v1/data-import/account-transfer-status/ACME/A-0/',
      headers: { authorization: `Token ${token}` },
    });
    await body.dump();
    answered.add(String(statusCode));
  };
  const all = async (): Promise<void> => {
    const started = performance.now();
    const underWay: Promise<void>[] = [];
    for (let sent = 0; sent < count;) {
      const share = Math.min(1, (performance.now() - started) / (seconds * 1_000));
      if (share * LOOKS >= memory.length) memory.push(await platform.residentMb());
      for (; sent < share * count; sent++) underWay.push(guess(sent).catch(() => answered.add('none')));
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    await Promise.all(underWay);
  };
  const done = all();
  return {
    leave: async () => {
      await done;
      await pool.close();
      const others = Object.keys(answered.counts).filter((status) => status !== '401');
      return {
        counts: {
          'wrong tokens': count,
          'refused with 401': answered.counts['401'] ?? 0,
          'MB before them': Math.round(memory[0]!),
        },
        violations: [
          ...others.map((status) => violation('I12', `the answer to a wrong token is ${status}`)),
          ...memoryViolations(memory),
        ].map((each) => ({ ...each, scenario: 'tokens' })),
      };
    },
  };
}
