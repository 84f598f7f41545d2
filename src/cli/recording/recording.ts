import { AppError } from '../../core/app-error.ts';
import { IN_ENGLISH } from '../../core/schema.ts';
import { plainJson } from '../../core/values/plain-json.ts';
import { exchangeLine, fingerprintOf, headerLine, keyFileOf, type Exchange } from './exchange.ts';

/** The exchanges of one or more commands with a platform. */
export interface Recording {
  readonly file: string;
  readonly exchanges: readonly Exchange[];
  /** Whether values are replaced. */
  readonly isDisguised: boolean;
  /** The key of the disguise, with which a seed can be disguised in the same way. Undefined where it is not beside the file. */
  readonly salt: string | undefined;
}

/**
 * Reads a recording. A last line that a killed process has left half-written is left out.
 * @throws AppError `recording_invalid`
 */
export function readRecording(file: string, read: (file: string) => string): Recording {
  const lines = read(file).split('\n');
  const isWhole = lines.pop() === '';
  const [first = '', ...rest] = lines;
  const parsed = headerLine.safeParse(plainJson(first), IN_ENGLISH);
  if (!parsed.success)
    throw new AppError('recording_invalid', {
      file,
      line: 1,
      reason: 'it does not begin as a recording does',
    });
  const exchanges = rest.flatMap((line, index) => {
    const value = plainJson(line);
    // Another command goes on with the file.
    if (headerLine.safeParse(value).success) return [];
    const one = exchangeLine.safeParse(value, IN_ENGLISH);
    if (one.success) return [one.data];
    // The process was killed here, and another command has gone on with the file.
    if (value === undefined && (index < rest.length - 1 || !isWhole)) return [];
    const { path = [], message = '' } = one.error.issues[0] ?? {};
    throw new AppError('recording_invalid', {
      file,
      line: index + 2,
      reason: `${path.join('.')}: ${message}`,
    });
  });
  const { disguise } = parsed.data;
  return {
    file,
    exchanges,
    isDisguised: disguise !== null,
    salt: disguise === null ? undefined : saltOf(file, disguise, read),
  };
}

function saltOf(file: string, fingerprint: string, read: (file: string) => string): string | undefined {
  try {
    const salt = read(keyFileOf(file)).trim();
    return fingerprintOf(salt) === fingerprint ? salt : undefined;
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}
