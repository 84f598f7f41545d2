import { exec } from 'node:child_process';
import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { AppError } from '../../core/app-error.ts';
import { unsendableReason } from '../../core/sendable-secret.ts';
import { fileReason } from '../../core/file-reason.ts';
import type { Io } from '../outside/io.ts';
import type { Settings } from './settings.ts';

/** A ready-made token, or a way to the API key. `source`: its variable, file or command, in words. */
export type FoundCredentials = { readonly source: string } & (
  | { readonly kind: 'token'; readonly token: string }
  | { readonly kind: 'key'; readonly apiKey: () => Promise<string> }
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
  const { DATAIMPORT_TOKEN: token } = io.env;
  if (token !== undefined) {
    return { kind: 'token', token: sendable(token, 'token', 'DATAIMPORT_TOKEN'), source: 'DATAIMPORT_TOKEN' };
  }
  const key = findKey(settings, io);
  if (!key) throw new AppError('credentials_missing');
  return key;
}

/** The way to the API key, as in `findCredentials`, whether or not a token is set. Undefined without a key. */
export function findKey(
  settings: Settings,
  io: CredentialsIo,
): Extract<FoundCredentials, { kind: 'key' }> | undefined {
  const { DATAIMPORT_API_KEY: key } = io.env;
  if (key !== undefined) {
    const checked = sendable(key, 'apiKey', 'DATAIMPORT_API_KEY');
    return { kind: 'key', apiKey: async () => checked, source: 'DATAIMPORT_API_KEY' };
  }
  const file = settings.get('apiKeyFile');
  if (file !== undefined) {
    const key = sendable(secretFile(file, io).trim(), 'apiKeyFile', file);
    return { kind: 'key', apiKey: async () => key, source: `apiKeyFile ${file}` };
  }
  const command = settings.get('apiKeyCommand');
  if (command !== undefined)
    return { kind: 'key', apiKey: () => keyOfCommand(command, io), source: 'apiKeyCommand' };
  return undefined;
}

/** The text of a file that only its owner may read. @throws AppError `secret_file_open`, `file_not_readable` */
export function secretFile(path: string, { platform }: Pick<Io, 'platform'>, file = path): string {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(path, 'r');
    // Looks at the open file, because the name may belong to another file by the time it is read. Windows has no mode
    // bits. There the folder of the user protects the file.
    if (platform !== 'win32' && (fstatSync(descriptor).mode & 0o077) !== 0)
      throw new AppError('secret_file_open', { file });
    return readFileSync(descriptor, 'utf8');
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError('file_not_readable', { file, reason: fileReason(error) }, error);
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** The command's output is never part of an error, because it may contain the key. */
async function keyOfCommand(command: string, { env, cwd }: CredentialsIo): Promise<string> {
  const output = await new Promise<string>((resolve, reject) => {
    exec(command, { env, cwd, timeout: COMMAND_MS, windowsHide: true }, (error, stdout) => {
      if (!error) return resolve(stdout);
      const reason = error.killed
        ? `it took longer than ${COMMAND_MS / 1_000} s`
        : `it ended with exit code ${error.code}`;
      reject(new AppError('secret_command_failed', { reason }));
    });
  });
  if (output.trim() === '') throw new AppError('secret_command_failed', { reason: 'it printed nothing' });
  return sendable(output.trim(), 'apiKeyCommand', 'its output');
}

function sendable(secret: string, setting: string, source: string): string {
  const reason = unsendableReason(secret);
  if (reason === undefined) return secret;
  const accepted = 'the key or token and nothing else, in visible ASCII characters';
  throw new AppError('setting_invalid', { setting, source, reason, accepted });
}
