import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cutsCampaign } from './campaigns/cuts.ts';
import { diskCampaign } from './campaigns/disk.ts';
import { canMountDisks, fullDiskCampaign } from './campaigns/full-disk.ts';
import { VARIANTS } from './campaigns/fault-template.ts';
import { faultsCampaign, seedsFrom } from './campaigns/faults.ts';
import { fuzzCampaign, KEPT_SEEDS } from './campaigns/fuzz.ts';
import { heapCampaign } from './campaigns/heap.ts';
import { httpCampaign } from './campaigns/http.ts';
import { jsonCampaign } from './campaigns/json.ts';
import { largeCampaign } from './campaigns/large.ts';
import { liesCampaign } from './campaigns/lies.ts';
import { livesCampaign } from './campaigns/lives.ts';
import { loadCampaign } from './campaigns/load.ts';
import { servedFaultsCampaign } from './campaigns/served-faults.ts';
import { TAMPERINGS } from './campaigns/tampering.ts';
import { killsCampaign } from './campaigns/kills.ts';
import { nightCampaign } from './campaigns/night.ts';
import { rejectsCampaign } from './campaigns/rejects.ts';
import { shardsCampaign } from './campaigns/shards.ts';
import { slowCampaign } from './campaigns/slow.ts';
import { tokensCampaign } from './campaigns/tokens.ts';
import { tryCampaign } from './campaigns/try.ts';
import { merged, tableOf } from './campaigns/campaign-result.ts';
import { DOCUMENT_MUTATIONS } from './mutated-document.ts';
import { MUTATION_NAMES } from './mutated-request.ts';
import { ODD_ANSWERS } from './odd-answers.ts';
import { servedPlatform, type ServedPlatform } from './served-platform.ts';
import { FAULTS } from './simulated-faults.ts';

/** Every variant, every fault, every failpoint at which a run of these files may die, and every early end that is no death. */
const FAULT_EVENTS: readonly string[] = [
  ...VARIANTS.map((variant) => `variant: ${variant}`),
  ...FAULTS.map(({ name }) => `fault: ${name}`),
  ...['claimNext', 'claimAgain', 'settle', 'fail', 'splitInHalves', 'takeUp', 'send']
    .flatMap((name) => [`${name} before`, `${name} after`])
    .concat('send on its way')
    .map((failpoint) => `death: ${failpoint}`),
  ...['aborted', 'interrupted', 'time_over'].map((end) => `end: ${end}`),
];

/** Every step of a life of a migration. */
const LIFE_EVENTS: readonly string[] = [
  'add, edit, remove, move, break, repair, respell, another file, nothing',
  'kill, kill at any time, signals, server killed, throttled, paused, two at once',
  'account, refuse, refuse nothing, index, old copy, lost, confirm',
].flatMap((names) => names.split(', '));

/** Runs that meet every event of `FAULT_EVENTS`, and find every deliberate bug of faults. Random runs need hundreds to meet each event. */
const FAULT_SEEDS = [
  1, 4, 5, 12, 13, 14, 16, 22, 24, 42, 56, 58, 76, 102, 132, 133, 141, 156, 223, 237, 254, 342, 431, 633, 639,
  647, 657, 727, 857, 900, 1147, 1162, 1165,
];

/** Lives that meet every event of `LIFE_EVENTS`, find every deliberate bug of lives, and those that have found one of the product. */
const LIFE_SEEDS = [102, 103, 125, 226, 227, 267, 273, 287, 61_116, 61_199, 90_287];

/** `npm run campaign` runs the long form of each campaign. */
describe('the short form of a campaign finds no lost record, no repeated record and no false report', () => {
  test('kills: real processes die at any moment, with all four resources', { timeout: 600_000 }, async () => {
    // test/scenarios/kill-and-resume.test.ts kills the client and the server, and test/scenarios/signals.test.ts interrupts the client.
    const wanted = { clients: 0, servers: 0, signals: 0, refused: 1, again: 1 };
    const { violations, counts } = await killsCampaign({ seed: 2, ...wanted, perMigration: 1 });
    expect(violations).toEqual([]);
    expect(counts['kills while refused records are sent again']).toBeGreaterThanOrEqual(wanted.refused);
    expect(counts['kills of a command that is run again']).toBeGreaterThanOrEqual(wanted.again);
  });

  test('shards: two processes at once die at any time', { timeout: 600_000 }, async () => {
    const { violations, counts } = await shardsCampaign({ seed: 48, count: 1, shards: 2 });
    expect(violations).toEqual([]);
    expect(counts).toMatchObject({ lost: 0, repeated: 0 });
    expect(counts['kills']).toBeGreaterThanOrEqual(1);
  });

  test(
    'night: a cohort whose accounts become ready later is killed at any time',
    { timeout: 600_000 },
    async () => {
      const { violations, counts } = await nightCampaign({ seed: 1, count: 1, readyWithin: 2 });
      expect(violations).toEqual([]);
      expect(counts).toMatchObject({ lost: 0, repeated: 0, kills: 1 });
      expect(counts['accounts that became ready later']).toBeGreaterThan(0);
    },
  );

  test('lives: the same command is run after every step', { timeout: 600_000 }, async () => {
    const missing = (events: object): readonly string[] => LIFE_EVENTS.filter((name) => !(name in events));
    const { violations, events } = await livesCampaign({
      first: LIFE_SEEDS,
      seed: 1_000,
      count: 300,
      until: (soFar) =>
        (soFar.counts['lives'] ?? 0) >= LIFE_SEEDS.length && missing(soFar.events).length === 0,
    });
    expect(violations).toEqual([]);
    expect(missing(events)).toEqual([]);
  });

  test('faults: every fault and every failpoint occurs', { timeout: 600_000 }, async () => {
    const missing = (events: object): readonly string[] => FAULT_EVENTS.filter((name) => !(name in events));
    // A change of the product may move an event to another seed. Then the campaign goes on until it has met everything.
    const { violations, events } = await faultsCampaign(
      [...FAULT_SEEDS, ...seedsFrom(1_000, 900)],
      (soFar) => (soFar.counts['runs'] ?? 0) >= FAULT_SEEDS.length && missing(soFar.events).length === 0,
    );
    expect(violations).toEqual([]);
    expect(missing(events)).toEqual([]);
  });

  test('faults: the rules of `serve --fault` fire over real sockets', async () => {
    const { violations, counts } = await servedFaultsCampaign({ seed: 1, count: 12 });
    expect(violations).toEqual([]);
    expect(counts['faults']).toBeGreaterThan(25);
  });

  test('cuts: a 201 ends early in every framing, or is odd on the wire', async () => {
    const { violations, counts, events } = await cutsCampaign({ seed: 1, every: 151 });
    expect(violations).toEqual([]);
    expect([...ODD_ANSWERS.keys()].filter((name) => !(`odd: ${name}` in events))).toEqual([]);
    expect(ODD_ANSWERS.size).toBeGreaterThanOrEqual(47);
    expect(counts['runs']).toBeGreaterThan(100);
  });

  test('disk: every fifth write of the run file fails once', async () => {
    // test/cli/push/full-disk.test.ts lets every write of a smaller run fail.
    const { violations, counts, events } = await diskCampaign({ seed: 1, every: 5 });
    expect(violations).toEqual([]);
    expect(counts['runs']).toBeGreaterThan(35);
    // The disk may also fail after the last request, while the outcomes are moved to their records.
    const ends = Object.keys(events).map((name) => name.split(': ').at(-1));
    expect(new Set(ends)).toEqual(new Set(['finished', 'unrecorded']));
  });
});

describe('the short form of a campaign on a real disk finds no lost record and no false report', () => {
  test.skipIf(!canMountDisks())(
    'disk: real disks are full sooner or later',
    { timeout: 600_000 },
    async () => {
      const { violations, events } = await fullDiskCampaign({ seed: 1, step: 120 });
      expect(violations).toEqual([]);
      expect(Object.keys(events)).toEqual(['large enough', 'run_not_writable', 'run_write_failed']);
    },
  );

  test('rejects: a command is killed while it writes them', { timeout: 600_000 }, async () => {
    const { violations, counts } = await rejectsCampaign({ seed: 8, count: 1 });
    expect(violations).toEqual([]);
    expect(counts['kills']).toBeGreaterThanOrEqual(1);
    expect(counts['commands typed again']).toBeGreaterThanOrEqual(1);
  });
});

describe('the short form of a campaign finds a server that withstands everything that it is sent', () => {
  let shared: ServedPlatform;
  /** Most campaigns share one server, because a start takes longer than what they send. */
  const open = async (): Promise<ServedPlatform> => ({ ...shared, stop: async () => null });

  beforeAll(async () => {
    shared = await servedPlatform();
  });

  afterAll(() => shared.stop());

  test('http: requests with mutated bytes', async () => {
    const { violations, events } = await httpCampaign({ seed: 15, count: 100, open });
    expect(violations).toEqual([]);
    expect(MUTATION_NAMES.filter((name) => !(`mutation: ${name}` in events))).toEqual([]);
    // Some requests must succeed, or I13 would be checked on nothing.
    expect(events['answered: 201']).toBeGreaterThan(10);
  });

  test('json: documents with mutated grammar', async () => {
    const { violations, events } = await jsonCampaign({ seed: 375, count: 100, open });
    expect(violations).toEqual([]);
    expect(DOCUMENT_MUTATIONS.filter((name) => !(`mutation: ${name}` in events))).toEqual([]);
    for (const answer of ['201', '400', '400 parse_error'])
      expect(events[`answered: ${answer}`]).toBeGreaterThan(25);
  });

  test('load: four fifths of the highest rate', async () => {
    const { violations, counts } = await loadCampaign({ seconds: 0.4, rampSeconds: 0.4 });
    expect(violations).toEqual([]);
    expect(counts).toMatchObject({ errors: 0 });
  });

  test('slow: valid requests beside clients that only keep connections open', async () => {
    const { violations, counts } = await slowCampaign({ slow: 50, silent: 100, seconds: 0.4, open });
    expect(violations).toEqual([]);
    expect(counts).toMatchObject({ 'valid requests beside them': 40, errors: 0 });
  });

  test('large: requests with very many records beside another client', async () => {
    const { violations, counts } = await largeCampaign({ count: 1, open });
    expect(violations).toEqual([]);
    expect(counts['ms of the longest wait beside 10,000 rows, accepted: in the worst round']).toBeGreaterThan(
      0,
    );
  });

  test('heap: a small heap holds while the log of requests is flooded', { timeout: 120_000 }, async () => {
    const options = { count: 24, heapMb: 64, largeEvery: 2 };
    const { violations, counts } = await heapCampaign(options);
    expect(violations).toEqual([]);
    expect(counts['requests']).toBe(24);
  });

  test('lies: what somebody has tampered with is found', { timeout: 600_000 }, async () => {
    // One of eighteen, for all four resources.
    const tamperings = TAMPERINGS.filter((_, index) => index % 18 === 0);
    const { violations, counts } = await liesCampaign({ seed: 3, count: 1, tamperings });
    expect(violations).toEqual([]);
    expect(counts['lies']).toBeGreaterThan(12);
  });

  test('fuzz: broken input for every parser, and good input for each', { timeout: 600_000 }, async () => {
    const { violations, events } = await fuzzCampaign({ first: KEPT_SEEDS, seed: 559, count: 45 });
    expect(violations).toEqual([]);
    for (const target of [
      'CSV',
      'JSON Lines',
      'mapping',
      'cohort',
      'configuration',
      'OpenAPI',
      'HTTP answer',
    ])
      expect(
        Object.keys(events).filter((name) => name.startsWith(`${target}: exit `)).length,
      ).toBeGreaterThan(1);
    expect(events).toMatchObject({
      'exact JSON: read': expect.any(Number) as number,
      'journal: exit 8': expect.any(Number) as number,
    });
  });

  test('tokens: valid requests beside clients that guess tokens', async () => {
    const { violations, counts } = await tokensCampaign({ count: 240, seconds: 0.4, open });
    expect(violations).toEqual([]);
    expect(counts).toMatchObject({ 'refused with 401': 240, 'valid requests beside them': 40, errors: 0 });
  });

  test('try: nothing is wrong with our own push', { timeout: 600_000 }, async () => {
    const { violations, counts, events } = await tryCampaign({
      seed: 1,
      count: 3,
      resources: ['transactions'],
    });
    expect(violations).toEqual([]);
    // Two undisturbed runs, and each with faults.
    expect(counts).toMatchObject({ runs: 2 + 3 });
    expect(Object.keys(events).length).toBeGreaterThan(2);
  });
});

test('the table of a campaign has its counts, its violations, and the scenarios that reproduce them', () => {
  const part = {
    campaign: 'faults',
    counts: { runs: 2, lost: 1 },
    events: { 'fault: 429': 3 },
    violations: [{ invariant: 'I1' as const, words: '1 of 2 records are lost', scenario: 'seed 7, notes' }],
    seconds: 1.4,
  };
  expect(tableOf(merged([part, part]))).toBe(
    [
      'faults, 1 s',
      '  runs               4',
      '  lost               2',
      '  violations         2',
      'events',
      '  fault: 429         6',
      'first violations',
      '  I1 seed 7, notes: 1 of 2 records are lost',
      '  I1 seed 7, notes: 1 of 2 records are lost',
      '',
    ].join('\n'),
  );
});
