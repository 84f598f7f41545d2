import type { EndpointName } from '../recording/exchange.ts';
import type { Recording } from '../recording/recording.ts';
import type { Difference } from './differences.ts';
import { played, type Play, type PlayedExchange, type Unsaid } from './play.ts';
import { decisionsAbout, ruleOf } from './rules.ts';
import { isTaken, shownBehaviour, type ShownDecision } from './shown-behaviour.ts';
import type { PlayedRule, TwinOptions } from './twin.ts';

/** One way in which a difference shows, however often it occurs. */
export interface Shown extends Difference {
  /** Names it in every play of the recording. */
  readonly id: string;
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

/** How many exchanges of an endpoint the twin answers as the recorded platform did. */
export interface EndpointCounts {
  readonly endpoint: EndpointName;
  readonly exchanges: number;
  readonly same: number;
  readonly differs: number;
  readonly unsaid: number;
}

/** A recording beside the answers of the twin. */
export interface Comparison {
  readonly counts: readonly EndpointCounts[];
  /** Why the twin cannot say anything of an exchange, for each of them. */
  readonly unsaid: readonly Unsaid[];
  readonly differences: readonly FoundDifference[];
  readonly rules: readonly PlayedRule[];
}

/**
 * Plays a recording to a twin, and says of each difference which rule it is about. A decision is named when a further play with it has shown
 * that the difference is gone and that nothing is refused that the recorded platform took.
 */
export async function comparedRecording(recording: Recording, given: TwinOptions): Promise<Comparison> {
  const play = await played(recording, given);
  const { exchanges, rules } = play;
  const shown = shownBehaviour(recording.exchanges);
  const found = exchanges.flatMap((place, index) =>
    place.differences.map((difference) => ({
      ...difference,
      rule: ruleOf(difference, place, rules),
      id: idOf(place.endpoint, difference),
      number: index + 1,
      place,
    })),
  );
  const plays = new Map<string, Play>();
  const differences = new Map<string, FoundDifference>();
  for (const alike of Map.groupBy(found, ({ rule, id }) => `${rule}\n${id}`).values()) {
    const [{ kind, at, recorded, twin, id, rule }] = alike as [(typeof found)[number]];
    const shows: Shown = {
      kind,
      at,
      recorded,
      twin,
      id,
      endpoints: new Set(alike.map(({ place }) => place.endpoint)),
      exchanges: new Set(alike.map(({ number }) => number)),
      items: alike.length,
    };
    const decisions = alike.flatMap(({ place }) => decisionsAbout(rule, place, shown));
    let decision: ShownDecision | undefined;
    for (const [text, each] of new Map(decisions.map((one) => [one.text, one]))) {
      if (decision) break;
      const again =
        plays.get(text) ?? (await played(recording, { ...given, behaviour: [...given.behaviour, text] }));
      plays.set(text, again);
      if (isBetter(play, again, shows)) decision = each;
    }
    const name = `${rule} ${decision?.text}`;
    differences.set(name, { rule, decision, shows: [...(differences.get(name)?.shows ?? []), shows] });
  }
  return {
    counts: countsOf(exchanges),
    unsaid: exchanges.flatMap((each) => each.unsaid ?? []),
    differences: [...differences.values()],
    rules,
  };
}

/** Whether a difference is gone from an exchange in a further play, where no exchange differs that was the same, or is refused that both took. */
function isBetter(play: Play, again: Play, { id, kind, exchanges }: Shown): boolean {
  const isWorse = ({ exchange, twin, differences, unsaid }: PlayedExchange, index: number): boolean => {
    const now = again.exchanges[index]!;
    const isRefused =
      isTaken(exchange) && twin !== undefined && isTaken(twin) && !(now.twin && isTaken(now.twin));
    return isRefused || (differences.length === 0 && unsaid === undefined && now.differences.length > 0);
  };
  const isGone = (number: number): boolean => {
    const { endpoint, differences } = again.exchanges[number - 1]!;
    return !differences.some(
      (each) => idOf(endpoint, each) === id || (kind === 'status' && each.kind === kind),
    );
  };
  return [...exchanges].some(isGone) && !play.exchanges.some(isWorse);
}

const idOf = (endpoint: EndpointName, { kind, at, recorded, twin }: Difference): string =>
  `${kind === 'header' ? '' : `${endpoint}: `}${kind}${at === '' ? '' : ` at ${at}`}: ${recorded}, twin ${twin}`;

function countsOf(exchanges: Play['exchanges']): readonly EndpointCounts[] {
  return [...Map.groupBy(exchanges, ({ endpoint }) => endpoint)].map(([endpoint, each]) => {
    const differs = each.filter(({ differences }) => differences.length > 0).length;
    const unsaid = each.filter((one) => one.unsaid !== undefined).length;
    return { endpoint, exchanges: each.length, same: each.length - differs - unsaid, differs, unsaid };
  });
}
