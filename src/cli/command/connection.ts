import { resolve } from 'node:path';
import { AppError } from '../../core/app-error.ts';
import { fileReason } from '../../core/file-reason.ts';
import { durationText } from '../../core/values/duration-text.ts';
import type { TokenMutation } from '../../core/contract/token.ts';
import type { CommandPorts } from './command-ports.ts';
import type { RecordFlags } from './flags.ts';
import type { Io } from '../outside/io.ts';
import { MOST_CONCURRENCY } from '../push/send/limiter.ts';
import { certificatesOf } from '../settings/ca-file.ts';
import { findCredentials, type FoundCredentials } from '../settings/credentials.ts';
import { proxiesTo } from '../settings/proxy.ts';
import type { Settings } from '../settings/settings.ts';
import type { HttpPlatform } from '../client/http-platform.ts';
import type { Recorder } from '../recording/recorder.ts';
import { assertReplaceable, readText } from './typed-file.ts';

/** Where the platform is, and how to be let in. */
export interface Target {
  readonly baseUrl: string;
  readonly credentials: FoundCredentials;
  /** The flag, the variable or the file that set the address; undefined for the platform of a demo. */
  readonly setBy?: { readonly place: string; readonly isFile: boolean };
  /** The word before a token by a contract. Default: the setting. */
  readonly authScheme?: string | undefined;
  /** Where the exchanges are kept. */
  readonly recording?: RecordFlags;
}

/** An open connection to the platform. */
export interface Connection {
  readonly platform: HttpPlatform;
  readonly baseUrl: string;
  /** Kind and origin of the secret, without the secret. */
  readonly credentials: { readonly kind: 'token' | 'key'; readonly source: string };
}

/**
 * The target of the settings.
 * @throws AppError `setting_invalid`, `credentials_missing`, `secret_file_open`, `file_not_readable`
 */
export function targetOf(settings: Settings, io: Io): Target {
  const baseUrl = settings.need('baseUrl');
  const source = settings.resolved('baseUrl')!.source;
  const setBy = { place: source.words, isFile: source.kind === 'file' };
  return { baseUrl, credentials: findCredentials(settings, io), setBy };
}

/**
 * Opens a connection to the platform, and says where it leads and what decided that. It is closed when the command ends.
 * @throws AppError `certificates_unchecked`, `setting_invalid`
 */
export async function connect(
  { baseUrl, credentials, setBy, authScheme, recording = {} }: Target,
  settings: Settings,
  ports: CommandPorts,
): Promise<Connection> {
  const { io, log, output, onClose } = ports;
  const notice = (text: string, when?: 'always' | 'talking'): void =>
    output.emit({ kind: 'notice', text, ...(when && { when }) });
  // With this switch of Node nothing checks the certificates of any TLS connection of the process.
  if (io.env['NODE_TLS_REJECT_UNAUTHORIZED'] === '0') throw new AppError('certificates_unchecked');
  const caFile = settings.get('caFile');
  const { openHttpPlatform } = await import('../client/http-platform.ts');
  const proxy = proxiesTo(baseUrl, io.env);
  const tokenMutation = {
    path: settings.need('tokenPath'),
    mutation: settings.need('tokenMutation'),
    inputField: settings.need('tokenInputField'),
  };
  const tokenUrl = settings.get('tokenUrl');
  const clientId = tokenUrl === undefined ? '' : settings.need('clientId');
  const oauth =
    tokenUrl === undefined ? undefined : { tokenUrl, clientId, scope: settings.get('tokenScope') };
  const { value: scheme, source: schemeFrom } = settings.resolved('authScheme')!;
  const isBearer = tokenUrl !== undefined && schemeFrom.kind === 'default';
  const leaving =
    recording.record === undefined
      ? undefined
      : await recorderOf(recording.record, tokenMutation, settings, ports);
  const platform = openHttpPlatform({
    baseUrl,
    credentials,
    tokenMutation,
    oauth,
    leaving,
    authScheme: isBearer ? 'Bearer' : (authScheme ?? scheme),
    connections: mostConcurrency(settings),
    timeoutMs: settings.need('timeout'),
    version: io.version(),
    timing: io.timing,
    ...(proxy ? { proxy } : {}),
    ...(caFile === undefined ? {} : { ca: certificatesOf(caFile) }),
    record(request) {
      log.write('request', { ...request });
      const { method, path, outcome, reason, duration_ms: tookMs } = request;
      const words = [method, path, outcome, reason, durationText(tookMs)].filter((word) => word !== null);
      output.emit({ kind: 'notice', text: words.join(' '), when: 'verbose' });
    },
    onUnobserved: (error) =>
      notice(`requests are not shown or kept any more, and the command goes on: ${fileReason(error)}`),
  });
  onClose(() => platform.close());
  // The key goes there, and a file may not have the address that the user has in mind.
  if (setBy) notice(`platform: ${baseUrl}, set by ${setBy.place}`, setBy.isFile ? 'always' : 'talking');
  if (credentials.kind === 'key' && credentials.waitsFor !== undefined) notice(credentials.waitsFor);
  const { kind, source } = credentials;
  if (kind === 'token' || tokenUrl === undefined) return { platform, baseUrl, credentials: { kind, source } };
  notice(`tokens: ${tokenUrl}, set by ${settings.resolved('tokenUrl')!.source.words}`);
  return { platform, baseUrl, credentials: { kind, source: `${source}, for ${clientId} at ${tokenUrl}` } };
}

/** Keeps exchanges in a file. @throws AppError `file_not_writable`, `file_exists`, `document_invalid` */
async function recorderOf(
  file: string,
  mutation: TokenMutation,
  settings: Settings,
  { io, output, onClose }: CommandPorts,
): Promise<Recorder['record']> {
  assertReplaceable(file, io.cwd, 'recording');
  const [{ openRecorder }, { wordsIn }] = await Promise.all([
    import('../recording/recorder.ts'),
    import('../recording/disguise.ts'),
  ]);
  const contract = settings.get('contract');
  const recorder = openRecorder({
    mutation,
    path: resolve(io.cwd, file),
    kept: contract === undefined ? [] : wordsIn(readText(contract, io.cwd)),
    version: io.version(),
    onFailure: (reason) =>
      output.emit({
        kind: 'notice',
        text: `the recording ${file} ends here, and the command goes on: ${reason}`,
      }),
  });
  onClose(() => recorder.close());
  return recorder.record;
}

/** A number that the user gives is a ceiling. The default is where a run begins. */
export function mostConcurrency(settings: Settings): number {
  const { value, source } = settings.resolved('concurrency')!;
  return source.kind === 'default' ? MOST_CONCURRENCY : value;
}
