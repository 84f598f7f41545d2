import { counted, durationText } from '../output/text/text.ts';
import { paceOfRecording, type RecordedPace } from '../recording/pace.ts';
import type { Recording } from '../recording/recording.ts';
import { comparedRecording } from './compared.ts';
import { withSwitches } from './switches.ts';
import type { TwinOptions } from './twin.ts';
import { twinOptionsOf } from './twin-options.ts';

/** How the local platform is started to answer as a recorded one did. */
export interface LikeRecording {
  readonly behaviour: TwinOptions['behaviour'];
  readonly limits: TwinOptions['limits'];
  readonly tokenTtlSeconds: number;
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
  const { switches } = await comparedRecording(recording, twin);
  const pace = paceOfRecording(recording);
  const { behaviour, limits, tokenTtlSeconds } = withSwitches(twin, switches);
  return {
    behaviour,
    limits,
    tokenTtlSeconds,
    pace,
    texts: [
      ...switches.map(({ text }) => text),
      ...pace.limits.map(
        ({ endpoints, requests, withinMs }) =>
          `${counted(requests, 'request')} to ${endpoints.join(', ')} in ${durationText(withinMs)}`,
      ),
      `times of ${recording.exchanges.length} answers`,
    ],
  };
}
