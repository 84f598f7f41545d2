// node scripts/campaign.ts kills|shards|night|lives|real-lives|faults|cuts|disk|rejects|http|json|load|slow|tokens|large|heap|contract|chain|lies|fuzz|like|try [--seed N] [--count N] [--json]
//
// Shows that no record is lost or repeated, whatever fails, and that the local platform withstands whatever it is sent.
// docs/campaigns.md describes each campaign. Exit 0 without a violation, 1 with one, 2 for an invalid command line.

import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { merged, tableOf, type CampaignResult } from '../test/harness/campaigns/campaign-result.ts';
import { chainCampaign } from '../test/harness/campaigns/chain.ts';
import { contractCampaign } from '../test/harness/campaigns/contract.ts';
import { cutsCampaign } from '../test/harness/campaigns/cuts.ts';
import { diskCampaign } from '../test/harness/campaigns/disk.ts';
import { canMountDisks, fullDiskCampaign } from '../test/harness/campaigns/full-disk.ts';
import { faultsCampaign, seedsFrom } from '../test/harness/campaigns/faults.ts';
import { fuzzCampaign } from '../test/harness/campaigns/fuzz.ts';
import { heapCampaign } from '../test/harness/campaigns/heap.ts';
import { httpCampaign } from '../test/harness/campaigns/http.ts';
import { jsonCampaign } from '../test/harness/campaigns/json.ts';
import { largeCampaign } from '../test/harness/campaigns/large.ts';
import { loadCampaign } from '../test/harness/campaigns/load.ts';
import { servedFaultsCampaign } from '../test/harness/campaigns/served-faults.ts';
import { killsCampaign } from '../test/harness/campaigns/kills.ts';
import { nightCampaign } from '../test/harness/campaigns/night.ts';
import { liesCampaign } from '../test/harness/campaigns/lies.ts';
import { livesCampaign, realLivesCampaign } from '../test/harness/campaigns/lives.ts';
import { rejectsCampaign } from '../test/harness/campaigns/rejects.ts';
import { shardsCampaign } from '../test/harness/campaigns/shards.ts';
import { slowCampaign } from '../test/harness/campaigns/slow.ts';
import { tokensCampaign } from '../test/harness/campaigns/tokens.ts';
import { tryCampaign } from '../test/harness/campaigns/try.ts';

/** The campaigns, each with the default of `--count`. */
const CAMPAIGNS = {
  kills: { count: 1000, run: kills },
  shards: { count: 200, run: ({ seed, count }: Asked) => shardsCampaign({ seed, count }) },
  night: { count: 300, run: ({ seed, count }: Asked) => nightCampaign({ seed, count }) },
  lives: { count: 20_000, run: lives },
  'real-lives': {
    count: 300,
    run: ({ seed, count }: Asked) => inLanes(realLivesCampaign, { seed, count }),
  },
  faults: { count: 20_000, run: faults },
  cuts: { count: 1, run: ({ seed, count }: Asked) => cutsCampaign({ seed, every: count }) },
  disk: { count: 1, run: disks },
  rejects: { count: 100, run: ({ seed, count }: Asked) => rejectsCampaign({ seed, count }) },
  http: { count: 10_000, run: ({ seed, count }: Asked) => inLanes(httpCampaign, { seed, count }) },
  json: { count: 20_000, run: ({ seed, count }: Asked) => inLanes(jsonCampaign, { seed, count }) },
  load: {
    count: 600,
    run: ({ count, isJson }: Asked) => loadCampaign({ seconds: count }, isJson ? undefined : console.error),
  },
  slow: {
    count: 500,
    run: ({ count }: Asked) => slowCampaign({ slow: count, silent: 2 * count, seconds: 20 }),
  },
  large: { count: 20, run: ({ count }: Asked) => largeCampaign({ count }) },
  tokens: { count: 10_000, run: ({ count }: Asked) => tokensCampaign({ count, seconds: 10 }) },
  heap: {
    count: 1_000_000,
    run: ({ count }: Asked) => heapCampaign({ count, heapMb: 512, largeEvery: 5_000 }),
  },
  contract: { count: 20_000, run: ({ seed, count }: Asked) => contractCampaign({ seed, count }) },
  chain: { count: 1_000, run: ({ seed, count }: Asked) => chainCampaign({ seed, count }) },
  lies: { count: 200, run: ({ seed, count }: Asked) => liesCampaign({ seed, count }) },
  fuzz: { count: 40_000, run: fuzz },
  try: { count: 400, run: ({ seed, count }: Asked) => tryCampaign({ seed, count }) },
} as const;

/** Fault runs of one process. */
const SHARE = 2_000;

/** Lives of one process. */
const LIVES = 500;

/** One of this many fault runs also runs against a real server. */
const SERVED = 50;

/** Parallel processes. */
const LANES = 2;

interface Asked {
  readonly seed: number;
  readonly count: number;
  readonly isJson: boolean;
}

process.exitCode = await main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<number> {
  const asked = parsedCommand(args);
  if (!asked) {
    console.error(
      `usage: npm run campaign -- ${Object.keys(CAMPAIGNS).join('|')} [--seed N] [--count N] [--json]`,
    );
    return 2;
  }
  const result = await CAMPAIGNS[asked.name].run(asked);
  console.log(asked.isJson ? JSON.stringify(result) : tableOf(result));
  return result.violations.length > 0 ? 1 : 0;
}

/** The parsed command line; undefined when it is invalid. */
function parsedCommand(
  args: readonly string[],
): (Asked & { readonly name: keyof typeof CAMPAIGNS }) | undefined {
  const parsed = parsedArgs(args);
  const [name = '', ...more] = parsed?.positionals ?? [];
  if (!parsed || more.length > 0 || !isCampaign(name)) return undefined;
  const { json: isJson = false, ...numbers } = parsed.values;
  const seed = wholeNumber(numbers.seed ?? '1');
  const count = wholeNumber(numbers.count ?? String(CAMPAIGNS[name].count));
  return seed === undefined || count === undefined ? undefined : { name, seed, count, isJson };
}

function parsedArgs(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        seed: { type: 'string' },
        count: { type: 'string' },
        json: { type: 'boolean' },
      },
    });
  } catch {
    // An unknown option, or an option without its value.
    return undefined;
  }
}

function isCampaign(name: string): name is keyof typeof CAMPAIGNS {
  return Object.hasOwn(CAMPAIGNS, name);
}

function wholeNumber(text: string): number | undefined {
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined;
}

/** Kills the client `count` times, and the server, the command that sends refused records again, and an interrupted client three tenths of that each. */
function kills({ seed, count, isJson }: Asked): Promise<CampaignResult> {
  const print = (line: string): void => (isJson ? undefined : console.error(line));
  const some = Math.ceil(count * 0.3);
  return killsCampaign(
    { seed, clients: count, servers: some, signals: some, refused: some, again: some },
    print,
  );
}

/** Runs many runs in several processes. */
async function faults({ seed, count }: Asked): Promise<CampaignResult> {
  if (count <= SHARE) return faultsCampaign(seedsFrom(seed, count));
  const served = await servedFaultsCampaign({ seed, count: Math.ceil(count / SERVED) });
  const simulated = await inShares('faults', { seed, count, share: SHARE });
  return { ...merged([simulated, served]), seconds: simulated.seconds };
}

/** Lives many lives in several processes. */
async function lives({ seed, count }: Asked): Promise<CampaignResult> {
  return count <= LIVES ? livesCampaign({ seed, count }) : inShares('lives', { seed, count, share: LIVES });
}

/** Gives broken input in several processes. */
async function fuzz({ seed, count }: Asked): Promise<CampaignResult> {
  return count <= LIVES ? fuzzCampaign({ seed, count }) : inShares('fuzz', { seed, count, share: LIVES });
}

/** Runs the seeds of a campaign in several processes. What happens with a seed does not depend on its process. */
async function inShares(
  campaign: keyof typeof CAMPAIGNS,
  { seed, count, share }: { readonly seed: number; readonly count: number; readonly share: number },
): Promise<CampaignResult> {
  const started = performance.now();
  const shares = Array.from({ length: Math.ceil(count / share) }, (_, index) => index * share);
  const parts: CampaignResult[] = [];
  const lane = async (): Promise<void> => {
    for (let first = shares.shift(); first !== undefined; first = shares.shift())
      parts.push(await apart(campaign, seed + first, Math.min(share, count - first)));
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return { ...merged(parts), seconds: (performance.now() - started) / 1000 };
}

function apart(campaign: string, seed: number, count: number): Promise<CampaignResult> {
  const words = [campaign, '--seed', String(seed), '--count', String(count), '--json'];
  const args = [fileURLToPath(import.meta.url), ...words];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  return new Promise((resolve, reject) =>
    child.once('close', (code) => {
      if (text === '') reject(new Error(`seeds from ${seed}: no result, exit ${code}`));
      else resolve(JSON.parse(text) as CampaignResult);
    }),
  );
}

/** Runs one part of the seeds in each lane, with its own platform. */
async function inLanes(
  campaign: (asked: { readonly seed: number; readonly count: number }) => Promise<CampaignResult>,
  { seed, count }: { readonly seed: number; readonly count: number },
): Promise<CampaignResult> {
  const share = Math.ceil(count / LANES);
  const firsts = Array.from({ length: LANES }, (_, lane) => lane * share).filter((first) => first < count);
  return merged(
    await Promise.all(
      firsts.map((first) => campaign({ seed: seed + first, count: Math.min(share, count - first) })),
    ),
  );
}

/** Runs the disk campaigns for `count` migrations, one seed each: simulated errors, and real disks where they may be mounted. */
async function disks({ seed, count }: Asked): Promise<CampaignResult> {
  const parts: CampaignResult[] = [];
  for (let number = seed; number < seed + count; number++) {
    parts.push(await diskCampaign({ seed: number }));
    if (canMountDisks()) parts.push(await fullDiskCampaign({ seed: number, step: 12 }));
  }
  return { ...merged(parts), seconds: parts.reduce((sum, { seconds }) => sum + seconds, 0) };
}
