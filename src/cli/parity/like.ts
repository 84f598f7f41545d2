import { counted, durationText } from '../output/text/text.ts';
import type { Exchange } from '../recording/exchange.ts';
import { paceOfRecording, type RecordedPace } from '../recording/pace.ts';
import type { BehaviourFlags } from './behaviour-flags.ts';
import { shownFlags } from './shown-flags.ts';

/** How the local platform is started to answer as a recorded one did. */
interface LikeRecording {
  /** Flags of `serve`. What answers show in two ways stays as it is. */
  readonly flags: Partial<BehaviourFlags & { readonly tokenTtl: number }>;
  readonly pace: RecordedPace;
  /** The pace as it is shown. */
  readonly texts: readonly string[];
}

/** Takes statuses, shapes, limits, times and the life of tokens from the answers of a platform. */
export function likeRecording(exchanges: readonly Exchange[]): LikeRecording {
  const flags = Object.entries(shownFlags(exchanges)).flatMap(([name, values]) =>
    values.length === 1 ? [[name, values[0]] as const] : [],
  );
  const pace = paceOfRecording({ exchanges });
  const texts = pace.limits.map(
    ({ endpoints, requests, withinMs }) =>
      `${counted(requests, 'request')} to ${endpoints.join(', ')} in ${durationText(withinMs)}`,
  );
  return {
    flags: Object.fromEntries(flags),
    pace,
    texts: [...texts, `times of ${counted(exchanges.length, 'answer')}`],
  };
}
