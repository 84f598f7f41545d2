import { Pool } from 'undici';
import { violation } from '../invariants/violation.ts';
import { servedPlatform, type ServedPlatform } from '../served-platform.ts';
import { besideCrowd, type Crowd } from './beside.ts';
import { Tally, type CampaignResult } from './campaign-result.ts';
import { memoryViolations } from './memory.ts';

/** How often the memory is measured while wrong tokens are sent. */
const LOOKS = 12;

/** Connections with wrong tokens. */
const CONNECTIONS = 16;

/**
 * Wrong tokens: junk, the key itself, and a valid token with another signature, other content, its first half, 12 kB more, or a letter that
 * is not ASCII.
 */
const WRONG: readonly ((token: string) => string)[] = [
  () => 'wrong',
  () => 'campaign-key',
  (token) => token.slice(0, -4) + (token.endsWith('AAAA') ? 'BBBB' : 'AAAA'),
  (token) => `x${token}`,
  (token) => token.slice(0, token.length / 2),
  (token) => token + 'x'.repeat(12_000),
  (token) => `${token}\u00e9`,
];

interface TokensOptions {
  /** Wrong tokens, all sent during the measurement beside them. */
  readonly count: number;
  /** Length of each of the three measurements. */
  readonly seconds: number;
  readonly open?: typeof servedPlatform;
}

/** Sends valid requests beside clients that guess tokens. */
export async function tokensCampaign({
  count,
  seconds,
  open = servedPlatform,
}: TokensOptions): Promise<CampaignResult> {
  const platform = await open();
  try {
    const startCrowd = async (): Promise<Crowd> => guessersAt(platform, { count, seconds });
    return await besideCrowd({ campaign: 'tokens', platform, seconds, startCrowd });
  } finally {
    await platform.stop();
  }
}

/** Sends the wrong tokens at an even rate. Each must get a 401 (I12), and the memory of the server must not grow (I15). */
function guessersAt(platform: ServedPlatform, { count, seconds }: TokensOptions): Crowd {
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
    const inFlight: Promise<void>[] = [];
    for (let sent = 0; sent < count;) {
      const share = Math.min(1, (performance.now() - started) / (seconds * 1_000));
      if (share * LOOKS >= memory.length) memory.push(await platform.residentMb());
      for (; sent < share * count; sent++) inFlight.push(guess(sent).catch(() => answered.add('none')));
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    await Promise.all(inFlight);
  };
  const done = all();
  return {
    stop: async () => {
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
