import * as z from 'zod/mini';

/** How the replay of one folder ended. */
export const OUTCOMES = ['same', 'different', 'updated', 'interrupted'] as const;

const exit = z.strictObject({ code: z.int(), name: z.string() });

/** What `replay --json` prints. */
export const replayDocument = z.strictObject({
  version: z.literal(1),
  exit,
  /** In the order in which they were typed. */
  folders: z.array(
    z.strictObject({
      folder: z.string(),
      outcome: z.enum(OUTCOMES),
      /** How many command lines were run. */
      steps: z.int().check(z.nonnegative()),
      /** A unified diff of expected.yaml and what happened; null when nothing differs. */
      difference: z.nullable(z.string()),
    }),
  ),
});
export type ReplayDocument = z.infer<typeof replayDocument>;
/** One folder in it. */
export type FolderOutcome = ReplayDocument['folders'][number];
