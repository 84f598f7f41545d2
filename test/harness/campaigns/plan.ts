import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { forecastOf } from '../../../src/cli/forecast/forecast.ts';
import { nightOf } from '../../../src/cli/forecast/night.ts';
import { samplesOf } from '../../../src/cli/forecast/samples.ts';
import { drain } from '../../../src/cli/push/drain.ts';
import type { Platform } from '../../../src/cli/push/ports/platform.ts';
import type { Rate } from '../../../src/cli/push/token-bucket.ts';
import { RunFile } from '../../../src/cli/run-file/run-file.ts';
import { preciseInstantOfClock } from '../../../src/core/values/instant.ts';
import { answer, goodBody } from '../../support/push-batch.ts';
import { chanceFrom, type Chance } from '../chance.ts';
import { violation } from '../invariants/violation.ts';
import { RUN_ID, stagedBytes } from '../staged-run.ts';
import { VirtualTime } from '../virtual-time.ts';
import { Tally, type CampaignResult, type FoundViolation } from './campaign-result.ts';
import { quickFolder } from './quick-folder.ts';

/** The share of nights that may end outside of their interval. */
const OUTSIDE = 0.1;

/** How long an answer takes, in milliseconds. `others`: the other requests in flight. */
type Latency = (chance: Chance, others: number, records: number) => number;

/** The profiles of `serve --latency`, and one whose time grows with the records. */
const PROFILES: Readonly<Record<string, (medianMs: number) => Latency>> = {
  fixed: (medianMs) => () => medianMs,
  normal: (medianMs) => (chance) =>
    Math.max(
      0,
      medianMs +
        0.3 * medianMs * Math.sqrt(-2 * Math.log(1 - chance.next())) * Math.cos(2 * Math.PI * chance.next()),
    ),
  'long-tail': (medianMs) => (chance) => medianMs * Math.min(100, (2 * (1 - chance.next())) ** (-1 / 1.5)),
  degrading: (medianMs) => (_, others) => medianMs * (1 + 0.1 * others),
  'by records': (medianMs) => (chance, _, records) => medianMs * (0.5 + 0.05 * records + 0.2 * chance.next()),
};

/** A file, and how it is sent. */
interface Sending {
  readonly accounts: number;
  readonly mostRecords: number;
  readonly concurrency: number;
  readonly rate?: Rate | undefined;
}

/**
 * Rehearses on platforms with `count` profiles of latency, plans a larger night from the run file of the rehearsal, and sends it.
 * The engine and the run files are real, the clock is simulated. Nine of ten nights have to end inside their interval.
 */
export async function planCampaign({
  seed,
  count,
}: {
  readonly seed: number;
  readonly count: number;
}): Promise<CampaignResult> {
  const started = performance.now();
  const counts = new Tally();
  const events = new Tally();
  const outside: FoundViolation[] = [];
  const kinds = Object.keys(PROFILES);
  for (let number = seed; number < seed + count; number++) {
    const kind = kinds[number % kinds.length]!;
    const { lowMs, highMs, realMs } = await plannedNight(number, kind);
    const isInside = lowMs <= realMs && realMs <= highMs;
    counts.add('nights');
    counts.add('inside', isInside ? 1 : 0);
    counts.add('width in percent of the night', Math.round((100 * (highMs - lowMs)) / realMs / count));
    events.add(`${kind}: ${isInside ? 'inside' : 'outside'}`);
    const words = `${kind}: ${Math.round(realMs)} ms, planned ${Math.round(lowMs)} to ${Math.round(highMs)} ms`;
    if (!isInside) outside.push({ ...violation('I19', words), scenario: `seed ${number}` });
  }
  const isShown = outside.length <= OUTSIDE * count;
  counts.add('outside', outside.length);
  const seconds = (performance.now() - started) / 1000;
  return {
    campaign: 'plan',
    counts: counts.counts,
    events: events.sorted(),
    violations: isShown ? [] : outside,
    seconds,
  };
}

async function plannedNight(
  seed: number,
  kind: string,
): Promise<{ readonly lowMs: number; readonly highMs: number; readonly realMs: number }> {
  const chance = chanceFrom(seed);
  const latency = PROFILES[kind]!(20 + chance.below(400));
  const rehearsal = {
    accounts: 15 + chance.below(30),
    mostRecords: 20 + chance.below(60),
    concurrency: 4 + chance.below(13),
  };
  const night = {
    accounts: 40 + chance.below(120),
    mostRecords: 20 + chance.below(100),
    // Two thirds of the nights are sent as they were rehearsed, the others with up to twice as many requests at once.
    concurrency: chance.below(3) > 0 ? rehearsal.concurrency : rehearsal.concurrency + chance.below(9),
    rate: chance.below(4) === 0 ? { requests: 5 + chance.below(20), perMs: 1_000 } : undefined,
  };
  const folder = quickFolder();
  try {
    const { samples } = await sent(rehearsal, { latency, chance, folder });
    const real = await sent(night, { latency, chance, folder });
    const forecast = forecastOf(
      nightOf(real.planned, { concurrency: night.concurrency, rate: night.rate }),
      samples,
      seed,
    );
    return { ...forecast, realMs: real.ms };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function sent(
  { accounts, mostRecords, concurrency, rate }: Sending,
  {
    latency,
    chance,
    folder,
  }: { readonly latency: Latency; readonly chance: Chance; readonly folder: string },
) {
  const rows = Array.from({ length: accounts }, (_, account) =>
    // Some accounts have many more records than others.
    Array.from(
      { length: 1 + chance.below(account % 10 === 0 ? 4 * mostRecords : mostRecords) },
      (__, row) => {
        const day = String(1 + (row % 28)).padStart(2, '0');
        return `ACME,${10_000 + account},2026-01-${day}T10:00:00Z,note ${row}`;
      },
    ),
  ).flat();
  const text = ['import_supplier,external_account_number,created_at,body', ...rows, ''].join('\n');
  const staging = {
    file: { resource: 'notes', text },
    batchSize: 20,
    check: true,
    onReject: 'stop',
  } as const;
  const path = join(folder, 'run.sqlite');
  writeFileSync(path, await stagedBytes(staging, folder));
  const run = RunFile.open(path, RUN_ID);
  const time = new VirtualTime(chance);
  try {
    const planned = Array.from(run.plannedRequests(), (request) => ({
      resource: 'notes' as const,
      ...request,
    }));
    const delivery = {
      resource: 'notes',
      options: run.header.options,
      onAmbiguous: 'resend',
      retryForMs: 900_000,
      accountNumberField: 'platform_account_number',
      database: null,
      sources: run.mappedSources,
    } as const;
    const { end } = await drain(
      {
        delivery: () => delivery,
        onReject: 'stop',
        errors: { soFar: 0, limit: Infinity },
        concurrency,
        rate,
      },
      {
        run: run.draining(() => preciseInstantOfClock(time.nowMs())),
        platform: latePlatform(latency, chance, time),
        timing: time,
        emit: () => undefined,
        stopping: new AbortController().signal,
        abort: new AbortController().signal,
      },
    );
    if (end.kind !== 'finished') throw new Error(`the run ended as ${end.kind}`);
    const samples = samplesOf([{ resource: 'notes', timings: run.attemptTimings() }]);
    return { planned, samples, ms: time.monotonicMs() };
  } finally {
    run.close();
  }
}

/** Accepts every note, after a while. */
function latePlatform(latency: Latency, chance: Chance, time: VirtualTime): Platform {
  let inFlight = 0;
  return {
    async send({ body }) {
      inFlight++;
      const { notes, ...account } = JSON.parse(body!) as {
        import_supplier: string;
        external_account_number: string;
        notes: readonly object[];
      };
      await time.sleep(latency(chance, inFlight - 1, notes.length));
      inFlight--;
      const records = notes.map((note, seq) => ({
        seq,
        source: 1,
        line: seq,
        id: null,
        parts: [],
        payload: JSON.stringify(note),
      }));
      return answer(201, goodBody('notes', { account, records }));
    },
  };
}
