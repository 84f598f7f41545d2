import type { Recording } from '../recording/recording.ts';
import { played, type Play, type PlayedExchange } from './play.ts';
import { refusingSwitches, shownSwitches, withSwitches, type Switch } from './switches.ts';
import type { TwinOptions } from './twin.ts';

/** The flags with which the twin answers most like a recorded platform. */
export interface Fit {
  /** The flags in the order in which they were found, and the recording played with each of them and those before it. */
  readonly steps: readonly { readonly flag: Switch; readonly play: Play }[];
  /** The flag that comes nearest for one exchange, although other exchanges speak against it. */
  nearest(index: number): Promise<Switch | undefined>;
}

/** After so many plays no further flag is tried. A platform that is like ours in nothing suggests many flags. */
const MOST_PLAYS = 100;

/**
 * Plays the recording with each flag that its differences suggest, and keeps those that bring the twin nearer, the best first, until no
 * flag does. Then it leaves out each kept flag again.
 */
export async function fittingSwitches(recording: Recording, options: TwinOptions, first: Play): Promise<Fit> {
  const plays = new Map([['', first]]);
  const playWith = async (switches: readonly Switch[]): Promise<Play> => {
    const name = switches
      .map(({ text }) => text)
      .toSorted()
      .join(' ');
    const play = plays.get(name) ?? (await played(recording, withSwitches(options, switches)));
    plays.set(name, play);
    return play;
  };
  const suggested = (exchanges: readonly PlayedExchange[], isGuessing: boolean): readonly Switch[] => {
    if (plays.size >= MOST_PLAYS) return [];
    const places = exchanges.flatMap((each) => each.differences.map(({ kind }) => ({ ...each, kind })));
    const found = places.flatMap((place) => [
      ...shownSwitches(place, recording, options),
      ...refusingSwitches(place, true),
      ...(isGuessing ? refusingSwitches(place, false) : []),
    ]);
    return [...new Map(found.map((each) => [each.text, each])).values()];
  };

  let switches: readonly Switch[] = [];
  let play = first;
  /** Replaces another value of the same flag. */
  const added = (flag: Switch): readonly Switch[] => [
    ...switches.filter((each) => each.flag !== flag.flag),
    flag,
  ];
  const keep = async (kept: readonly Switch[], isBetter: (next: Play) => boolean): Promise<void> => {
    const next = await playWith(kept);
    if (isBetter(next)) [switches, play] = [kept, next];
  };
  // A shape without codes suggests every flag that refuses something, and most differences need none of them.
  for (const isGuessing of [false, true])
    for (let before: Play | undefined; before !== play;) {
      before = play;
      const tried: { flag: Switch; alone: Play }[] = [];
      for (const flag of suggested(play.exchanges, isGuessing))
        tried.push({ flag, alone: await playWith(added(flag)) });
      const better = tried
        .filter(({ alone }) => isNearer(alone.exchanges, before!.exchanges))
        .toSorted((a, b) => compared(a.alone.exchanges, b.alone.exchanges));
      for (const { flag } of better)
        await keep(added(flag), (next) => isNearer(next.exchanges, play.exchanges));
    }
  // A flag can bring the twin nearer than none, and be worth nothing beside a later one.
  for (const flag of switches)
    await keep(
      switches.filter((each) => each !== flag),
      (next) => !isNearer(play.exchanges, next.exchanges),
    );
  const steps: { flag: Switch; play: Play }[] = [];
  for (const [index, flag] of switches.entries())
    steps.push({ flag, play: await playWith(switches.slice(0, index + 1)) });
  return {
    steps,
    async nearest(index) {
      let best: { flag?: Switch; at: PlayedExchange } = { at: play.exchanges[index]! };
      for (const flag of suggested([best.at], true)) {
        const at = (await playWith(added(flag))).exchanges[index]!;
        if (isNearer([at], [best.at])) best = { flag, at };
      }
      return best.flag;
    },
  };
}

export const isNearer = (ours: readonly PlayedExchange[], theirs: readonly PlayedExchange[]): boolean =>
  compared(ours, theirs) < 0;

/** Below zero where the first exchanges are nearer to the recording. */
export function compared(ours: readonly PlayedExchange[], theirs: readonly PlayedExchange[]): number {
  const [left, right] = [distancesOf(ours), distancesOf(theirs)];
  return left.map((each, index) => each - right[index]!).find((each) => each !== 0) ?? 0;
}

/** Other statuses, then exchanges that are not the same, then differences. */
function distancesOf(exchanges: readonly PlayedExchange[]): readonly number[] {
  const differences = exchanges.flatMap((each) => each.differences);
  return [
    differences.filter(({ kind }) => kind === 'status').length,
    exchanges.filter((each) => each.differences.length > 0 || each.unsaid !== undefined).length,
    differences.length,
  ];
}
