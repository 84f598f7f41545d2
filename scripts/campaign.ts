// node scripts/campaign.ts kills|faults|cuts|disk|http|json|load|slow|tokens|large [--seed N] [--count N] [--until I1] [--json]
//
// Shows that nothing is lost and nothing is there twice, whatever fails, and that the local platform bears whatever it is
// sent: docs/campaigns.md says what each campaign does.
// Exit 0 without a violation, 1 with one, 2 for a command line that cannot be read.

import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { merged, tableOf, type CampaignResult } from '../test/harness/campaigns/campaign-result.ts';
import { cutsCampaign } from '../test/harness/campaigns/cuts.ts';
import { diskCampaign } from '../test/harness/campaigns/disk.ts';
import { faultsCampaign } from '../test/harness/campaigns/faults.ts';
import { httpCampaign } from '../test/harness/campaigns/http.ts';
import { jsonCampaign } from '../test/harness/campaigns/json.ts';
import { largeCampaign } from '../test/harness/campaigns/large.ts';
import { loadCampaign } from '../test/harness/campaigns/load.ts';
import { servedFaultsCampaign } from '../test/harness/campaigns/served-faults.ts';
import { killsCampaign } from '../test/harness/campaigns/kills.ts';
import { slowCampaign } from '../test/harness/campaigns/slow.ts';
import { tokensCampaign } from '../test/harness/campaigns/tokens.ts';

/** What `--count` stands for when it is not given, and the campaign itself. */
const CAMPAIGNS = {
  kills: { count: 1000, run: kills },
  faults: { count: 20_000, run: faults },
  cuts: { count: 1, run: ({ seed, count }: Asked) => cutsCampaign({ seed, every: count }) },
  disk: { count: 1, run: disks },
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
} as const;

/** Fault runs that are worth a process of their own. */
const SHARE = 2_000;

/** One of so many fault runs is made once more against a real server. */
const SERVED = 50;

/** Processes side by side. */
const LANES = 2;

interface Asked {
  readonly seed: number;
  readonly count: number;
  /** An invariant; the first time that it does not hold is the end of a campaign of faults. */
  readonly until: string | undefined;
  readonly isJson: boolean;
}

process.exitCode = await main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<number> {
  const asked = read(args);
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

/** Undefined for what cannot be read. */
function read(args: readonly string[]): (Asked & { readonly name: keyof typeof CAMPAIGNS }) | undefined {
  const parsed = parsedArgs(args);
  const [name = '', ...more] = parsed?.positionals ?? [];
  if (!parsed || more.length > 0 || !isCampaign(name)) return undefined;
  const { until, json: isJson = false, ...numbers } = parsed.values;
  const seed = wholeNumber(numbers.seed ?? '1');
  const count = wholeNumber(numbers.count ?? String(CAMPAIGNS[name].count));
  return seed === undefined || count === undefined ? undefined : { name, seed, count, until, isJson };
}

function parsedArgs(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        seed: { type: 'string' },
        count: { type: 'string' },
        until: { type: 'string' },
        json: { type: 'boolean' },
      },
    });
  } catch {
    // An option that is not there, or one without its value.
    return undefined;
  }
}

function isCampaign(name: string): name is keyof typeof CAMPAIGNS {
  return Object.hasOwn(CAMPAIGNS, name);
}

function wholeNumber(text: string): number | undefined {
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined;
}

/** So many kills of the client, three in ten of the server and of a retry, and three in ten interruptions. */
function kills({ seed, count, isJson }: Asked): Promise<CampaignResult> {
  const tell = (line: string): void => (isJson ? undefined : console.error(line));
  const some = Math.ceil(count * 0.3);
  return killsCampaign({ seed, clients: count, servers: some, signals: some, retries: some }, tell);
}

/** Many runs are shared out to processes; which run belongs to a seed does not depend on it. */
async function faults({ seed, count, until }: Asked): Promise<CampaignResult> {
  if (count <= SHARE)
    return faultsCampaign({ seed, count }, (found) => found.some(({ invariant }) => invariant === until));
  const served = await servedFaultsCampaign({ seed, count: Math.ceil(count / SERVED) });
  const started = performance.now();
  const shares = Array.from({ length: Math.ceil(count / SHARE) }, (_, index) => index * SHARE);
  const parts: CampaignResult[] = [];
  const lane = async (): Promise<void> => {
    for (let first = shares.shift(); first !== undefined; first = shares.shift())
      parts.push(await faultsApart(seed + first, Math.min(SHARE, count - first)));
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return { ...merged([...parts, served]), seconds: (performance.now() - started) / 1000 };
}

function faultsApart(seed: number, count: number): Promise<CampaignResult> {
  const args = [
    fileURLToPath(import.meta.url),
    'faults',
    '--seed',
    String(seed),
    '--count',
    String(count),
    '--json',
  ];
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

/** One part of the seeds for each lane, with a platform of its own. */
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

/** The disk of so many migrations, one seed each. */
async function disks({ seed, count }: Asked): Promise<CampaignResult> {
  const parts: CampaignResult[] = [];
  for (let number = seed; number < seed + count; number++) parts.push(await diskCampaign({ seed: number }));
  return { ...merged(parts), seconds: parts.reduce((sum, { seconds }) => sum + seconds, 0) };
}
