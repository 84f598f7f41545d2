import { violation } from '../invariants/violation.ts';
import { ROWS, senderTo } from '../steady-load.ts';
import { servedPlatform } from '../served-platform.ts';
import type { CampaignResult, FoundViolation } from './campaign-result.ts';
import { memoryViolations } from './memory.ts';

/** The share of the highest rate that is sent for a long time. */
const SHARE = 0.8;

/** Connections that measure the highest rate. */
const CONNECTIONS = 16;

/** Parts of the load. The memory is measured after each. */
const PARTS = 20;

interface LoadOptions {
  readonly seconds: number;
  /** Default: 10. */
  readonly rampSeconds?: number;
}

/** Measures the highest rate of `serve` with a database on disk, and sends four fifths of it for a long time. */
export async function loadCampaign(
  { seconds, rampSeconds = 10 }: LoadOptions,
  print: (line: string) => void = () => undefined,
): Promise<CampaignResult> {
  const started = performance.now();
  const platform = await servedPlatform('serve.sqlite');
  const sender = senderTo(platform);
  const violations: FoundViolation[] = [];
  const memory: number[] = [];
  const sum = { requests: 0, errors: 0 };
  let p99Ms = 0;
  try {
    // The first half warms the server up.
    await sender.flatOut({ seconds: rampSeconds / 2, connections: CONNECTIONS });
    const ramp = await sender.flatOut({ seconds: rampSeconds / 2, connections: CONNECTIONS });
    const most = ramp.requests / ramp.seconds;
    const rate = Math.floor(most * SHARE);
    print(`${Math.round(most)} requests a second at most, ${rate} a second from now on`);
    for (let part = 0; part < PARTS; part++) {
      const load = await sender.steady({ seconds: seconds / PARTS, rate });
      sum.requests += load.requests;
      sum.errors += load.errors;
      p99Ms = Math.max(p99Ms, load.p99Ms);
      memory.push(await platform.residentMb());
      print(
        `${load.requests} requests, ${load.errors} errors, p99 ${load.p99Ms.toFixed(1)} ms, ${Math.round(memory.at(-1)!)} MB`,
      );
    }
    if (sum.errors > 0)
      violations.push({ ...violation('I12', `${sum.errors} requests failed`), scenario: 'load' });
    violations.push(...memoryViolations(memory).map((each) => ({ ...each, scenario: 'load' })));
    const counts = {
      'requests a second at most': Math.round(most),
      'requests a second sent': rate,
      seconds: Math.round(seconds),
      requests: sum.requests,
      rows: Math.round(sum.requests * ROWS * 0.9),
      errors: sum.errors,
      'p99 in ms, in the worst part': Math.round(p99Ms),
      'MB at the start': Math.round(memory[0]!),
      'MB in the middle': Math.round(memory[PARTS / 2]!),
      'MB at the end': Math.round(memory.at(-1)!),
    };
    return {
      campaign: 'load',
      counts,
      events: {},
      violations,
      seconds: (performance.now() - started) / 1000,
    };
  } finally {
    await sender.close();
    await platform.stop();
  }
}
