import { exec } from 'node:child_process';
import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { AppError } from '../../core/app-error.ts';
import { unsendableReason } from '../../core/sendable-secret.ts';
import { fileReason } from '../../core/file-reason.ts';
import type { Io } from '../io.ts';
import type { Settings } from './settings.ts';

/** A ready-made token or a way to the API key, and in words where it comes from: a variable, a file, a command. */
export type FoundCredentials = { readonly source: string } & (
  | { readonly kind: 'token'; readonly token: string }
  | { readonly kind: 'key'; readonly apiKey: () => Promise<string> }
);

/** What of the world credentials come from. */
export type CredentialsWorld = Pick<Io, 'env' | 'cwd' | 'platform'>;

/** Longest time for `apiKeyCommand`, in milliseconds: it may ask a person to unlock something. */
const COMMAND_MS = 60_000;

/**
 * Finds out how to be let in, the first that is given of: DATAIMPORT_TOKEN, DATAIMPORT_API_KEY, apiKeyFile,
 * apiKeyCommand. A command is run when the key is needed, because it may ask a person for something.
 * @throws AppError `credentials_missing`; `setting_invalid` for a secret that cannot be sent; `secret_file_open`,
 * `file_not_readable`
 */
export function findCredentials(settings: Settings, world: CredentialsWorld): FoundCredentials {
  const { DATAIMPORT_TOKEN: token } = world.env;
  if (token !== undefined) {
    return { kind: 'token', token: sendable(token, 'token', 'DATAIMPORT_TOKEN'), source: 'DATAIMPORT_TOKEN' };
  }
  const key = findKey(settings, world);
  if (!key) throw new AppError('credentials_missing');
  return key;
}

/** The way to the API key, as `findCredentials`, whether or not there is a token; undefined when there is none. */
export function findKey(
  settings: Settings,
  world: CredentialsWorld,
): Extract<FoundCredentials, { kind: 'key' }> | undefined {
  const { DATAIMPORT_API_KEY: key } = world.env;
  if (key !== undefined) {
    const checked = sendable(key, 'apiKey', 'DATAIMPORT_API_KEY');
    return { kind: 'key', apiKey: async () => checked, source: 'DATAIMPORT_API_KEY' };
  }
  const file = settings.get('apiKeyFile');
  if (file !== undefined) {
    const key = keyOfFile(file, world);
    return { kind: 'key', apiKey: async () => key, source: `apiKeyFile ${file}` };
  }
  const command = settings.get('apiKeyCommand');
  if (command !== undefined)
    return { kind: 'key', apiKey: () => keyOfCommand(command, world), source: 'apiKeyCommand' };
  return undefined;
}

function keyOfFile(file: string, { platform }: CredentialsWorld): string {
  let text: string;
  let descriptor: number | undefined;
  try {
    descriptor = openSync(file, 'r');
    // Of the file that is open: another one may stand under the name by the time it is read. Windows has no such bits;
    // there the folder of the user is what protects the file.
    if (platform !== 'win32' && (fstatSync(descriptor).mode & 0o077) !== 0)
      throw new AppError('secret_file_open', { file });
    text = readFileSync(descriptor, 'utf8');
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError('file_not_readable', { file, reason: fileReason(error) }, error);
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
  return sendable(text.trim(), 'apiKeyFile', file);
}

/** The command's output is never part of an error: it may hold the key. */
async function keyOfCommand(command: string, { env, cwd }: CredentialsWorld): Promise<string> {
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
