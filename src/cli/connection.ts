import { AppError } from '../core/app-error.ts';
import type { CommandContext } from './command.ts';
import type { Io } from './io.ts';
import type { HttpPlatform } from './client/http-platform.ts';
import { durationText, escapeControl } from './render/text.ts';
import { certificatesOf } from './settings/ca-file.ts';
import { findCredentials, type FoundCredentials } from './settings/credentials.ts';
import { proxiesTo } from './settings/proxy.ts';

/** The way to the platform that the settings describe. */
export interface Connection {
  readonly platform: HttpPlatform;
  readonly baseUrl: string;
  /** What lets us in and where it comes from, without the secret. */
  readonly credentials: { readonly kind: 'token' | 'key'; readonly source: string };
}

/** What a command knows better than the settings: the target of a run, or a server of its own. */
export interface GivenConnection {
  readonly baseUrl?: string;
  readonly credentials?: FoundCredentials;
}

/**
 * Opens the way to the platform for a command; it is closed when the command ends.
 * @throws AppError `setting_missing`, `setting_invalid`, `credentials_missing`, `certificates_unchecked`,
 * `ca_file_invalid`, `proxy_invalid`
 */
export async function connect(context: CommandContext, given: GivenConnection = {}): Promise<Connection> {
  const { io } = context;
  const settings = await context.settings();
  const baseUrl = given.baseUrl ?? settings.need('baseUrl');
  assertCertificatesAreChecked(io.env);
  const credentials = given.credentials ?? findCredentials(settings, io);
  const caFile = settings.get('caFile');
  const { openHttpPlatform } = await import('./client/http-platform.ts');
  const proxy = proxiesTo(baseUrl, io.env);
  const platform = openHttpPlatform({
    baseUrl,
    credentials,
    tokenMutation: {
      path: settings.need('tokenPath'),
      mutation: settings.need('tokenMutation'),
      inputField: settings.need('tokenInputField'),
    },
    connections: settings.need('concurrency'),
    timeoutMs: settings.need('timeout'),
    version: io.version(),
    timing: io.timing,
    ...(proxy ? { proxy } : {}),
    ...(caFile === undefined ? {} : { ca: certificatesOf(caFile) }),
    record(request) {
      context.log.write('request', { ...request });
      if (!context.globals.verbose) return;
      const { method, path, outcome, reason, duration_ms } = request;
      const line = [method, path, outcome, reason, durationText(duration_ms)]
        .filter((part) => part !== null)
        .join(' ');
      io.stderr.write(`${escapeControl(line)}\n`);
    },
  });
  context.onClose(() => platform.close());
  return { platform, baseUrl, credentials: { kind: credentials.kind, source: credentials.source } };
}

/** Node's switch makes every TLS connection of the process open to whoever stands in the middle. */
function assertCertificatesAreChecked(env: Io['env']): void {
  if (env['NODE_TLS_REJECT_UNAUTHORIZED'] === '0') throw new AppError('certificates_unchecked');
}
