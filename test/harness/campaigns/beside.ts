import { violation } from '../invariants/violation.ts';
import type { ServedPlatform } from '../served-platform.ts';
import { senderTo, type Load } from '../steady-load.ts';
import type { CampaignResult, FoundViolation } from './campaign-result.ts';

/** Good requests a second. */
const RATE = 100;

/** Those who are no use to anybody, from the moment that they are there. */
export interface Crowd {
  /** They go. Resolves with what is to be counted, and what was wrong with their answers. */
  leave(): Promise<{
    readonly counts: Readonly<Record<string, number>>;
    readonly violations: readonly FoundViolation[];
  }>;
}

interface Beside {
  readonly campaign: string;
  readonly platform: ServedPlatform;
  /** Of each of the three measurements. */
  readonly seconds: number;
  /** Resolves when they are there. */
  readonly comes: () => Promise<Crowd>;
}

/**
 * Good requests alone, beside a crowd, and alone again: a process that gets warmer, or a machine that gets busier, shows
 * in the second time alone, so it does not pass for an effect of the crowd, nor hide one.
 */
export async function besideCrowd({ campaign, platform, seconds, comes }: Beside): Promise<CampaignResult> {
  const started = performance.now();
  const sender = senderTo(platform);
  const steady = (): Promise<Load> => sender.steady({ seconds, rate: RATE });
  try {
    // To get warm.
    await sender.steady({ seconds: seconds / 4, rate: RATE });
    const before = await steady();
    const crowd = await comes();
    const beside = await steady();
    const memoryMb = await platform.residentMb();
    const left = await crowd.leave();
    const after = await steady();

    const errors = before.errors + beside.errors + after.errors;
    const failed = violation('I14', `${errors} good requests failed`);
    const alone = (before.p99Ms + after.p99Ms) / 2;
    return {
      campaign,
      counts: {
        ...left.counts,
        'good requests alone': before.requests + after.requests,
        'good requests beside them': beside.requests,
        errors,
        'p99 alone before, in µs': Math.round(before.p99Ms * 1_000),
        'p99 beside them, in µs': Math.round(beside.p99Ms * 1_000),
        'p99 alone after, in µs': Math.round(after.p99Ms * 1_000),
        'p99 beside them, in hundredths of alone': Math.round((100 * beside.p99Ms) / alone),
        'MB beside them': Math.round(memoryMb),
      },
      happened: {},
      violations: [...(errors > 0 ? [{ ...failed, scenario: campaign }] : []), ...left.violations],
      seconds: (performance.now() - started) / 1000,
    };
  } finally {
    await sender.close();
  }
}
