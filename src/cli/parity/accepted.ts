import * as z from 'zod/mini';
import { AppError } from '../../core/app-error.ts';
import type { Path } from '../../core/problem.ts';
import { IN_ENGLISH } from '../../core/schema.ts';
import { isCalendarDate } from '../../core/values/calendar-date.ts';
import { readYaml } from '../../core/yaml/yaml-text.ts';

/** The file that is read without `--accept`, if it is there. */
export const ACCEPT_FILE = 'parity.accept.yaml';

const words = z.string().check(z.regex(/\S/, 'give it in words'));

const acceptance = z.strictObject({
  version: z.literal(1),
  accepted: z.array(
    z.strictObject({
      /** As `parity` prints it. */
      difference: words,
      reason: words,
      date: z.string().check(z.refine((text) => isCalendarDate(text), 'give a day such as 2026-11-27')),
    }),
  ),
});

/** A difference that somebody has accepted. */
export type Accepted = z.infer<typeof acceptance>['accepted'][number];

/** The differences that a file accepts, each with a reason and a day. @throws AppError `accept_invalid` */
export function acceptedIn(file: string, text: string): readonly Accepted[] {
  const { yaml, problems } = readYaml({ file, text, schema: 'failsafe' });
  if (!yaml) throw new AppError('accept_invalid', { ...problems[0] });
  const value = { ...(yaml.value as object | null) } as { version?: unknown };
  const parsed = acceptance.safeParse(
    { ...value, version: value.version === '1' ? 1 : value.version },
    IN_ENGLISH,
  );
  if (parsed.success) return parsed.data.accepted;
  const [issue] = parsed.error.issues;
  const path = issue!.path as Path;
  throw new AppError('accept_invalid', {
    ...yaml.positionOf(path),
    reason: `${path.join('.')}: ${wordsOf(issue!)}`,
  });
}

function wordsOf({ code, message }: { readonly code: string; readonly message: string }): string {
  if (message.endsWith('received undefined')) return 'it is missing';
  return code === 'invalid_value' ? 'it is 1' : message;
}
