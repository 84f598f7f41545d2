import type * as z from 'zod/mini';
import { AppError } from '../../core/app-error.ts';
import { IN_ENGLISH } from '../../core/schema.ts';
import { isJsonObject, plainJson } from '../../core/values/plain-json.ts';
import type { Disguise } from './disguise.ts';
import {
  answerLine,
  disguiseIn,
  fingerprintOf,
  headerLine,
  keyFileOf,
  requestLine,
  type Exchange,
} from './exchange.ts';

/** The exchanges of one or more commands with a platform. */
export interface Recording {
  readonly file: string;
  readonly exchanges: readonly Exchange[];
  readonly isDisguised: boolean;
  /** The disguise, in which a seed can be put, too. Undefined where its key is not beside the file. */
  readonly disguise: Disguise | undefined;
  /** What is missing in the recording, in sentences. */
  readonly warnings: readonly string[];
}

const WRITTEN_BY = 'Give a file that `--record` of push, migrate, auth, accounts or status has written.';

/**
 * Reads a recording: exchanges in the order of their answers, and a request without an answer at its own place. A line that ends in its middle
 * is left out, with a warning.
 */
export function readRecording(file: string, read: (file: string) => string): Recording {
  const lines = read(file).replace(/\n$/, '').split('\n');
  const parsed = headerLine.safeParse(plainJson(lines[0]!), IN_ENGLISH);
  const failure = (line: number, reason: string): AppError =>
    new AppError('document_invalid', { kind: 'recording', reason, todo: WRITTEN_BY, file, line });
  if (!parsed.success) throw failure(1, 'it does not begin as a recording does');
  const warnings: string[] = [];
  /** By the names of their requests. */
  const exchanges = new Map<string, Exchange>();
  for (const [index, text] of lines.entries()) {
    const line = index + 1;
    const value = plainJson(text);
    // Another command goes on with the file.
    if (headerLine.safeParse(value).success) continue;
    const checked = <Schema extends z.ZodMiniType>(schema: Schema): z.infer<Schema> => {
      const { success, data, error } = schema.safeParse(value, IN_ENGLISH);
      if (success) return data;
      const { path = [], message = '' } = error.issues[0] ?? {};
      throw failure(line, `${path.join('.')}: ${message}`);
    };
    if (value === undefined) {
      warnings.push(
        `line ${line} of ${file} ends in its middle, as after a kill or on a full disk; the rest is played`,
      );
    } else if (isJsonObject(value) && 'answers' in value) {
      const { answers, ...answered } = checked(answerLine);
      const sent = exchanges.get(answers);
      if (!sent) throw failure(line, 'no line before it has its request');
      exchanges.delete(answers);
      exchanges.set(answers, { ...sent, ...answered });
    } else {
      const { request, ...sent } = checked(requestLine);
      exchanges.set(request, { ...sent, ...UNANSWERED });
    }
  }
  const print = parsed.data.disguise;
  const key = print === null ? undefined : keyBeside(file, read);
  const made = disguiseIn(key ?? '');
  const disguise = made && fingerprintOf(made.salt) === print ? made : undefined;
  return { file, exchanges: [...exchanges.values()], isDisguised: print !== null, disguise, warnings };
}

const UNANSWERED = { status: null, headers: {}, answer: null, took_ms: 0 };

function keyBeside(file: string, read: (file: string) => string): string | undefined {
  try {
    return read(keyFileOf(file));
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}
