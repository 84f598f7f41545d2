import { exec } from 'node:child_process';
import { AppError } from '../../core/app-error.ts';
import { unsendableReason } from '../../core/sendable-secret.ts';
import { readBinaryFile } from '../../files/text-file.ts';
import type { Io } from '../outside/io.ts';
import type { ResolvedSetting, Settings } from './settings.ts';

/** A ready-made token, or a way to the API key. `source`: its variable, file or command, in words. */
export type FoundCredentials = { readonly source: string } & (
  | { readonly kind: 'token'; readonly token: string }
  | {
      readonly kind: 'key';
      readonly apiKey: () => Promise<string>;
      /** What the first use of the key waits for, in words; undefined where the key is there. */
      readonly waitsFor?: string;
    }
);

type CredentialsIo = Pick<Io, 'env' | 'cwd' | 'platform'>;

/** Longest time for `apiKeyCommand`, in milliseconds. It may ask a person to unlock something. */
const COMMAND_MS = 60_000;

/**
 * Finds the credentials. The first of these counts: DATAIMPORT_TOKEN, DATAIMPORT_API_KEY, apiKeyFile, apiKeyCommand.
 * A command runs when the key is needed, because it may ask a person for something.
 * @throws AppError `credentials_missing`; `setting_invalid` for a secret that cannot be sent; `secret_file_open`, `file_not_readable`
 */
export function findCredentials(settings: Settings, io: CredentialsIo): FoundCredentials {
  const { DATAIMPORT_TOKEN: token, DATAIMPORT_API_KEY: key } = io.env;
  if (token !== undefined) {
    return { kind: 'token', token: sendable(token, 'token', 'DATAIMPORT_TOKEN'), source: 'DATAIMPORT_TOKEN' };
  }
  if (key !== undefined) {
    const checked = sendable(key, 'apiKey', 'DATAIMPORT_API_KEY');
    return { kind: 'key', apiKey: async () => checked, source: 'DATAIMPORT_API_KEY' };
  }
  const file = settings.get('apiKeyFile');
  if (file !== undefined) {
    const key = secretFile(file, io);
    return { kind: 'key', apiKey: async () => key, source: `apiKeyFile ${file}` };
  }
  const command = settings.resolved('apiKeyCommand');
  if (!command) throw new AppError('credentials_missing');
  return keyOfCommand(command, io);
}

/** Most bytes of a file with a key. A long private key has 4 KiB. */
const MOST_KEY_BYTES = 65_536;

/** The key in a file that only its owner may read. @throws AppError `secret_file_open`, `file_not_readable`, `setting_invalid` */
function secretFile(file: string, { platform }: Pick<Io, 'platform'>): string {
  const bytes = readBinaryFile(file, file, {
    mostBytes: MOST_KEY_BYTES,
    admit({ mode }) {
      // Windows has no mode bits. There the folder of the user protects the file. Nobody else can open the pipe of a shell (`<(…)`).
      if (platform !== 'win32' && (mode & 0o077) !== 0) throw new AppError('secret_file_open', { file });
    },
  });
  // A key is ASCII, so every other byte is refused by its value, whatever the encoding.
  const text = Buffer.from(bytes).toString('latin1').replace(UTF8_MARK, '');
  return sendable(text.trim(), 'apiKeyFile', file);
}

/** The byte order mark of UTF-8, each byte as a character. */
const UTF8_MARK = /^\xEF\xBB\xBF/;

function keyOfCommand(
  { value: command, source }: ResolvedSetting<string>,
  io: CredentialsIo,
): Extract<FoundCredentials, { kind: 'key' }> {
  const waitsFor = `waiting for apiKeyCommand (${source.words}), ${COMMAND_MS / 1_000} s at most`;
  return { kind: 'key', apiKey: () => outputOf(command, io), source: 'apiKeyCommand', waitsFor };
}

/**
 * The key that a command prints, within `limitMs` milliseconds. Its output is never part of an error, because it may contain the key.
 * @throws AppError `credentials_missing`, `setting_invalid`
 */
export async function outputOf(
  command: string,
  { env, cwd }: Pick<CredentialsIo, 'env' | 'cwd'>,
  limitMs = COMMAND_MS,
): Promise<string> {
  // SIGKILL, because a shell may ignore the polite signal for ever.
  const options = { env, cwd, timeout: limitMs, killSignal: 'SIGKILL', windowsHide: true } as const;
  const output = await new Promise<string>((resolve, reject) => {
    exec(command, options, (error, stdout) => {
      if (!error) return resolve(stdout);
      const reason = error.killed
        ? `it took longer than ${limitMs / 1_000} s`
        : `it ended with exit code ${error.code}`;
      reject(commandFailed(reason));
    });
  });
  if (output.trim() === '') throw commandFailed('it printed nothing');
  return sendable(output.trim(), 'apiKeyCommand', 'its output');
}

function commandFailed(why: string): AppError {
  const reason = `apiKeyCommand failed: ${why}`;
  return new AppError('credentials_missing', { reason, todo: 'Run the command by hand.' });
}

function sendable(secret: string, setting: string, source: string): string {
  const reason = unsendableReason(secret);
  if (reason === undefined) return secret;
  const accepted = 'the key or token and nothing else, in visible ASCII characters, and a file in UTF-8';
  throw new AppError('setting_invalid', { setting, source, reason, accepted });
}
