import type { EndpointName } from '../recording/exchange.ts';
import type { Recording } from '../recording/recording.ts';
import type { Difference } from './differences.ts';
import { fittingSwitches, isNearer, type Fit } from './fitting.ts';
import { played, type Play, type Unsaid } from './play.ts';
import { ruleOf } from './rules-touched.ts';
import type { Switch } from './switches.ts';
import type { PlayedRule, TwinOptions } from './twin.ts';

/** A difference, however often it occurs. */
export interface FoundDifference extends Difference {
  /** Names the difference in a file of accepted ones. */
  readonly id: string;
  readonly endpoint: EndpointName;
  readonly count: number;
  /** Number of the first exchange that has it, from 1. */
  readonly first: number;
  readonly rule: string;
  /** The flags of `serve` that remove it; empty where none do. */
  readonly switches: readonly Switch[];
  /** Whether other answers of the recording are as without these flags. */
  readonly isMixed: boolean;
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
  /** How many exchanges the twin cannot say anything of, by reason. */
  readonly unsaid: ReadonlyMap<Unsaid, number>;
  readonly differences: readonly FoundDifference[];
  readonly rules: readonly PlayedRule[];
  /** All flags that together make the twin answer as the recorded platform. */
  readonly switches: readonly Switch[];
}

/** Compares a recording with a twin, and finds the flags that fit. @throws AppError those of `startTwin` */
export async function comparedRecording(recording: Recording, options: TwinOptions): Promise<Comparison> {
  const first = await played(recording, options);
  const fit = await fittingSwitches(recording, options, first);
  /** By their names and the flags that they need. */
  const found = new Map<string, FoundDifference>();
  const add = async (
    { exchanges, rules }: Play,
    isWanted: (switches: readonly Switch[], index: number, difference: Difference) => boolean,
  ): Promise<void> => {
    const known = new Set([...found.values()].map(({ id }) => id));
    for (const [index, place] of exchanges.entries())
      for (const difference of place.differences) {
        const { endpoint } = place;
        const id = idOf(endpoint, difference);
        if (known.has(id)) continue;
        const needs = await needsOf(difference, index, fit, recording.file);
        if (!isWanted(needs.switches, index, difference)) continue;
        const key = [id, ...needs.switches.map(({ text }) => text)].join('\n');
        const rule = needs.switches[0]?.rule ?? ruleOf(difference, place, rules);
        const before = found.get(key) ?? {
          ...difference,
          id,
          endpoint,
          count: 0,
          first: index + 1,
          rule,
          ...needs,
        };
        found.set(key, { ...before, count: before.count + 1 });
      }
  };
  await add(first, () => true);
  // A difference that other differences hide shows when its flag alone is missing.
  for (const [flag, play] of fit.without) {
    const isNamed = [...found.values()].some(({ switches }) => switches.includes(flag));
    if (!isNamed) await add(play, (switches) => switches.includes(flag));
  }
  // A difference that a flag brings is no difference of the twin, and one that a flag changes is known.
  await add(
    fit.play,
    (_, index, difference) =>
      !placesIn(first, index).includes(placeOf(difference)) &&
      ![...fit.without.values()].some((play) => isNearerAt(index, play, fit.play)),
  );
  const unsaid = Map.groupBy(
    first.exchanges.flatMap((each) => each.unsaid ?? []),
    (reason) => reason,
  );
  return {
    counts: countsOf(first),
    unsaid: new Map([...unsaid].map(([reason, each]) => [reason, each.length])),
    differences: [...found.values()],
    rules: first.rules,
    switches: fit.switches,
  };
}

/** The flags that a difference needs, and whether other exchanges speak against one of them. */
async function needsOf(
  difference: Difference,
  index: number,
  fit: Fit,
  file: string,
): Promise<Pick<FoundDifference, 'switches' | 'isMixed'>> {
  if (difference.kind === 'rate limit')
    return { switches: [{ flag: '--like', text: `--like ${file}`, rule: 'rate-limits' }], isMixed: false };
  const left = placesIn(fit.play, index);
  if (left.includes(placeOf(difference))) {
    const nearest = await fit.nearest(index);
    return { switches: nearest, isMixed: nearest.length > 0 };
  }
  const returns = (play: Play): boolean => placesIn(play, index).includes(placeOf(difference));
  const brings = (play: Play): boolean => placesIn(play, index).some((each) => !left.includes(each));
  const needs = [returns, brings]
    .map((isMissed) => fit.switches.filter((flag) => isMissed(fit.without.get(flag)!)))
    .find((flags) => flags.length > 0);
  const switches = needs ?? fit.switches;
  const speakAgainst = (flag: Switch): boolean =>
    fit.play.exchanges.some((_, place) => isNearerAt(place, fit.without.get(flag)!, fit.play));
  return { switches, isMixed: switches.some(speakAgainst) };
}

const isNearerAt = (index: number, play: Play, than: Play): boolean =>
  isNearer([play.exchanges[index]!], [than.exchanges[index]!]);

/** A difference, whatever the twin answers in place of the recorded platform. A name is missing where another one is there. */
const placeOf = ({ kind, at, recorded, twin }: Difference): string =>
  [kind, at, recorded, kind === 'name' ? twin : ''].join('\n');

const placesIn = ({ exchanges }: Play, index: number): readonly string[] =>
  exchanges[index]!.differences.map(placeOf);

const idOf = (endpoint: EndpointName, { kind, at, recorded, twin }: Difference): string =>
  `${endpoint}: ${kind}${at === '' ? '' : ` at ${at}`}: ${recorded}, twin ${twin}`;

function countsOf({ exchanges }: Play): readonly EndpointCounts[] {
  return [...Map.groupBy(exchanges, ({ endpoint }) => endpoint)].map(([endpoint, each]) => {
    const differs = each.filter(({ differences }) => differences.length > 0).length;
    const unsaid = each.filter((one) => one.unsaid !== undefined).length;
    return { endpoint, exchanges: each.length, same: each.length - differs - unsaid, differs, unsaid };
  });
}
