import { violation } from '../invariants/violation.ts';
import type { ServedPlatform } from '../served-platform.ts';
import { senderTo, type Load } from '../steady-load.ts';
import type { CampaignResult, FoundViolation } from './campaign-result.ts';

/** Valid requests per second. */
const RATE = 100;

/** Clients that send nothing useful, while they run. */
export interface Crowd {
  /** Stops them. Resolves with their counts, and with violations in their answers. */
  stop(): Promise<{
    readonly counts: Readonly<Record<string, number>>;
    readonly violations: readonly FoundViolation[];
  }>;
}

interface Beside {
  readonly campaign: string;
  readonly platform: ServedPlatform;
  /** Length of each of the three measurements. */
  readonly seconds: number;
  /** Starts the crowd. Resolves when all of its clients run. */
  readonly startCrowd: () => Promise<Crowd>;
}

/**
 * Measures valid requests alone, beside a crowd, and alone again. A process that warms up or a machine that gets busier
 * shows in the second measurement alone, so it neither looks like an effect of the crowd nor hides one.
 */
export async function besideCrowd({
  campaign,
  platform,
  seconds,
  startCrowd,
}: Beside): Promise<CampaignResult> {
  const started = performance.now();
  const sender = senderTo(platform);
  const steady = (): Promise<Load> => sender.steady({ seconds, rate: RATE });
  try {
    // Warms the server up.
    await sender.steady({ seconds: seconds / 4, rate: RATE });
    const before = await steady();
    const crowd = await startCrowd();
    const beside = await steady();
    const memoryMb = await platform.residentMb();
    const left = await crowd.stop();
    const after = await steady();

    const errors = before.errors + beside.errors + after.errors;
    const failed = violation('I14', `${errors} valid requests failed`);
    const alone = (before.p99Ms + after.p99Ms) / 2;
    return {
      campaign,
      counts: {
        ...left.counts,
        'valid requests alone': before.requests + after.requests,
        'valid requests beside them': beside.requests,
        errors,
        'p99 alone before, in µs': Math.round(before.p99Ms * 1_000),
        'p99 beside them, in µs': Math.round(beside.p99Ms * 1_000),
        'p99 alone after, in µs': Math.round(after.p99Ms * 1_000),
        'p99 beside them, in hundredths of alone': Math.round((100 * beside.p99Ms) / alone),
        'MB beside them': Math.round(memoryMb),
      },
      events: {},
      violations: [...(errors > 0 ? [{ ...failed, scenario: campaign }] : []), ...left.violations],
      seconds: (performance.now() - started) / 1000,
    };
  } finally {
    await sender.close();
  }
}
