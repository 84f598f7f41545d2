import type { Bench } from './context.ts';
import { again } from './measurements/again.ts';
import { drain } from './measurements/drain.ts';
import { folder } from './measurements/folder.ts';
import { push } from './measurements/push.ts';
import { growth } from './measurements/growth.ts';
import { night } from './measurements/night.ts';
import { read } from './measurements/read.ts';
import { seed } from './measurements/seed.ts';
import { serve } from './measurements/serve.ts';
import { stage } from './measurements/stage.ts';
import { start } from './measurements/start.ts';
import { verify } from './measurements/verify.ts';

/** The measurements by name. Each reports one or more comparisons. */
export const MEASUREMENTS = {
  read: { about: 'check beside programs that only read the file', run: read },
  stage: { about: 'push up to its first batch, beside csv-parse', run: stage },
  push: { about: 'push beside the script that a user would write, against two platforms', run: push },
  drain: { about: 'sending what is staged, beside a bare loop with the same bodies', run: drain },
  serve: { about: 'the local platform beside a bare server with the same work', run: serve },
  start: { about: 'starts beside a Node that ends at once', run: start },
  growth: {
    about: 'time, memory and disk of check and push, from a tenth of the rows to a hundred times',
    run: growth,
  },
  verify: { about: 'verify of a file that has arrived, beside check of it', run: verify },
  seed: { about: 'serve with many accounts', run: seed },
  again: {
    about: 'the same command again, beside sha256sum, and with another version beside check',
    run: again,
  },
  night: { about: 'push at the pace of a night, for the plan of one', run: night },
  folder: { about: 'a push of one row beside 100 finished runs', run: folder },
} as const satisfies Record<string, { readonly about: string; run(bench: Bench): Promise<void> }>;
