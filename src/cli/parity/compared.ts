import type { EndpointName } from '../recording/exchange.ts';
import type { Recording } from '../recording/recording.ts';
import type { Difference } from './differences.ts';
import { played, type Play, type PlayedExchange } from './play.ts';
import { decisionsAbout, ruleOf } from './rules.ts';
import { isTaken, shownBehaviour, type ShownDecision } from './shown-behaviour.ts';
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
  /** The decision with which the local platform answers so, too, and no worse anywhere else. */
  readonly decision: ShownDecision | undefined;
  readonly shows: readonly Shown[];
}

/** A recording beside the answers of the twin. */
export type Comparison = Awaited<ReturnType<typeof comparedRecording>>;

/**
 * Plays a recording to a twin, and says of each difference which rule it is about. A decision is named when a further play with it has shown
 * that the difference is gone and that nothing is refused that the recorded platform took.
 */
export async function comparedRecording(recording: Recording, given: TwinOptions) {
  const play = await played(recording, given);
  const shown = shownBehaviour(recording.exchanges);
  const plays = new Map<string, Play>();
  const playedWith = async (decision: string): Promise<Play> => {
    const behaviour = [...given.behaviour, decision];
    const again = plays.get(decision) ?? (await played(recording, { ...given, behaviour }));
    plays.set(decision, again);
    return again;
  };
  const found = play.exchanges.flatMap((place, index) =>
    place.differences.map((difference) => {
      return { difference, place, number: index + 1, rule: ruleOf(difference, place, play.rules) };
    }),
  );
  const alone: FoundDifference[] = [];
  for (const alike of Map.groupBy(found, ({ rule, difference }) => `${rule}\n${difference.id}`).values()) {
    const [{ rule, difference }] = alike as [(typeof found)[number]];
    const shows: Shown = {
      ...difference,
      endpoints: new Set(alike.map(({ place }) => place.endpoint)),
      exchanges: new Set(alike.map(({ number }) => number)),
      items: alike.length,
    };
    const decisions = alike.flatMap(({ place }) => decisionsAbout(rule, place, shown));
    let decision: ShownDecision | undefined;
    for (const each of new Map(decisions.map((one) => [one.text, one])).values())
      if (!decision && isBetter(play, await playedWith(each.text), shows)) decision = each;
    alone.push({ rule, decision, shows: [shows] });
  }
  const byDecision = Map.groupBy(alone, ({ rule, decision }) => `${rule} ${decision?.text}`);
  return {
    ...play,
    /** Why the twin cannot say anything of an exchange, for each of them. */
    unsaid: play.exchanges.flatMap(({ unsaid }) => unsaid ?? []),
    differences: [...byDecision.values()].map((alike): FoundDifference => ({
      ...alike[0]!,
      shows: alike.flatMap(({ shows }) => shows),
    })),
  };
}

/** Whether a difference is gone from an exchange in a further play, where no exchange differs that was the same, or is refused that both took. */
function isBetter(play: Play, again: Play, { id, kind, exchanges }: Shown): boolean {
  const isWorse = ({ exchange, twin, differences, unsaid }: PlayedExchange, index: number): boolean => {
    const now = again.exchanges[index]!;
    const isRefused = isTaken(exchange) && isTaken(twin) && !isTaken(now.twin);
    return isRefused || (differences.length === 0 && unsaid === undefined && now.differences.length > 0);
  };
  const isGone = (number: number): boolean =>
    !again.exchanges[number - 1]!.differences.some(
      (each) => each.id === id || (kind === 'status' && each.kind === kind),
    );
  return [...exchanges].some(isGone) && !play.exchanges.some(isWorse);
}
