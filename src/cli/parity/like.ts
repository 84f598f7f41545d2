import type { Behaviour } from '../../server/options/behaviour.ts';
import { durationText } from '../output/text/text.ts';
import { paceOfRecording, type RecordedPace } from '../recording/pace.ts';
import type { Recording } from '../recording/recording.ts';
import { comparedRecording } from './compared.ts';
import { behaviourWith } from './switches.ts';
import { twinOptionsOf } from './twin-options.ts';

/** How the local platform is started to answer as a recorded one did. */
export interface LikeRecording {
  readonly behaviour: Partial<Behaviour>;
  readonly pace: RecordedPace;
  /** The same as it is shown, one text for each part. */
  readonly texts: readonly string[];
}

/** Plays a recording to find the switches, and takes times and limits from it. @throws AppError those of `comparedRecording` */
export async function likeRecording(
  recording: Recording,
  options: Parameters<typeof twinOptionsOf>[0],
  choice: Parameters<typeof twinOptionsOf>[1],
): Promise<LikeRecording> {
  const twin = twinOptionsOf(options, choice);
  const { differences } = await comparedRecording(recording, twin);
  const switches = differences.flatMap((each) => (each.switch?.behaviour ? [each.switch] : []));
  const pace = paceOfRecording(recording);
  const { limit, tokenTtlSeconds } = pace;
  return {
    behaviour: behaviourWith(twin.behaviour, switches),
    pace,
    texts: [
      ...new Set(switches.map(({ text }) => text)),
      ...(tokenTtlSeconds === undefined ? [] : [`--token-ttl ${tokenTtlSeconds}s`]),
      ...(limit ? [`${limit.requests} requests in ${durationText(limit.withinMs)}`] : []),
      `times of ${recording.exchanges.length} answers`,
    ],
  };
}
