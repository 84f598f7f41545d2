import type * as z from 'zod/mini';
import { AppError } from '../../core/app-error.ts';
import { IN_ENGLISH } from '../../core/schema.ts';
import { isJsonObject, plainJson } from '../../core/values/plain-json.ts';
import {
  answerLine,
  contractWords,
  fingerprintOf,
  headerLine,
  keyFileOf,
  lackedKey,
  requestLine,
  type Exchange,
} from './exchange.ts';

/** The exchanges of one or more commands with a platform. */
export interface Recording {
  readonly file: string;
  readonly exchanges: readonly Exchange[];
  /** Whether values are replaced. */
  readonly isDisguised: boolean;
  /** The key of the disguise, with which a seed can be disguised in the same way. Undefined where it is not beside the file. */
  readonly salt: string | undefined;
  /** SHA-256 of the contract whose words stayed; null for a recording without one. Undefined where it does not matter. */
  readonly contract?: string | null | undefined;
  /** What is missing in the recording, in sentences. */
  readonly warnings: readonly string[];
}

/**
 * Reads a recording: exchanges in the order of their answers, and a request without an answer at its own place. A line that ends in its middle
 * is left out, with a warning.
 * @throws AppError `recording_invalid`
 */
export function readRecording(file: string, read: (file: string) => string): Recording {
  const lines = read(file).replace(/\n$/, '').split('\n');
  const parsed = headerLine.safeParse(plainJson(lines[0]!), IN_ENGLISH);
  const failure = (line: number, reason: string): AppError =>
    new AppError('recording_invalid', { file, line, reason });
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
  const { disguise, contract } = parsed.data;
  const key = disguise === null ? undefined : keyBeside(file, read);
  const salt = key !== undefined && fingerprintOf(key) === disguise ? key : undefined;
  if (disguise !== null && salt === undefined)
    warnings.push(
      `${lackedKey(file, key !== undefined)}, so a seed has to name its accounts as the recording does`,
    );
  return {
    file,
    exchanges: [...exchanges.values()],
    isDisguised: disguise !== null,
    salt,
    contract: disguise === null ? undefined : contract,
    warnings,
  };
}

/**
 * Reads a recording that is played under a contract, or under none. The words of a contract have no disguise, so only recordings that were
 * made in the same way can be compared.
 * @throws AppError `recording_invalid`, `recording_other_contract`
 */
export function recordingUnder(
  contract: string | undefined,
  file: string,
  read: (file: string) => string,
): Recording {
  const recording = readRecording(file, read);
  const given = contract === undefined ? null : fingerprintOf(read(contract));
  const { contract: recorded = given } = recording;
  if (recorded === given) return recording;
  if (recorded === null || given === null)
    throw new AppError('recording_other_contract', { file, under: contractWords(recorded, given) });
  const warning = `${file} was recorded under another contract: a word that only one of them has is another word here`;
  return { ...recording, warnings: [...recording.warnings, warning] };
}

const UNANSWERED = { status: null, headers: {}, answer: null, took_ms: 0 };

function keyBeside(file: string, read: (file: string) => string): string | undefined {
  try {
    return read(keyFileOf(file)).trim();
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}
