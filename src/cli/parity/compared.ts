import type { EndpointName } from '../recording/exchange.ts';
import type { Recording } from '../recording/recording.ts';
import type { Difference } from './differences.ts';
import { played } from './play.ts';
import { ruleOf } from './rules.ts';
import type { TwinOptions } from './twin.ts';

/** One way in which a difference shows, however often it occurs. */
export interface Shown extends Difference {
  /** A header differs in the same way at all endpoints; anything else is of one endpoint. */
  readonly endpoints: ReadonlySet<EndpointName>;
  /** Numbers of the exchanges that have it, from 1. */
  readonly exchanges: ReadonlySet<number>;
  /** How often they have it: one answer may have it in several items. */
  readonly items: number;
}

/** A rule that the recorded platform follows in another way, with everything in which this shows. */
export interface FoundDifference {
  readonly rule: string;
  readonly shows: readonly Shown[];
}

/** A recording beside the answers of the twin. */
export type Comparison = Awaited<ReturnType<typeof comparedRecording>>;

/** Plays a recording to a twin, and says of each difference which rule it is about. @throws AppError those of `startTwin` */
export async function comparedRecording(recording: Recording, given: TwinOptions) {
  const play = await played(recording, given);
  const found = play.exchanges.flatMap((place, index) =>
    place.differences.map((difference) => {
      return { difference, place, number: index + 1, rule: ruleOf(difference, place, play.rules) };
    }),
  );
  const byRule = Map.groupBy(found, ({ rule }) => rule);
  return {
    ...play,
    /** Why the twin cannot say anything of an exchange, for each of them. */
    unsaid: play.exchanges.flatMap(({ unsaid }) => unsaid ?? []),
    differences: [...byRule].map(([rule, ofRule]): FoundDifference => {
      const byId = Map.groupBy(ofRule, ({ difference }) => difference.id);
      const shows = [...byId.values()].map((alike) => ({
        ...alike[0]!.difference,
        endpoints: new Set(alike.map(({ place }) => place.endpoint)),
        exchanges: new Set(alike.map(({ number }) => number)),
        items: alike.length,
      }));
      return { rule, shows };
    }),
  };
}
