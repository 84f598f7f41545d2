import { AppError } from '../../core/app-error.ts';
import type { CommandContext, CommandDeclaration } from '../command.ts';
import type { Connection } from '../connection.ts';
import type { ExitName } from '../exit-codes.ts';
import { exitDocument, type JsonDocument } from '../render/json-output.ts';
import { counted, durationText, escapeControl } from '../render/text.ts';

export const authCheck: CommandDeclaration<object> = {
  name: 'auth check',
  group: 'Look',
  summary: 'Obtain a token and say who answers, without showing it',
  description:
    'Obtains a token, asks the platform something that needs one, and says who answers, without showing the token. With a supplier it asks for its imported accounts.',
  examples: ['dataimport auth check --supplier LEGACY'],
  settings: ['baseUrl', 'supplier', 'caFile'],
  declare: () => undefined,
  run,
};

interface AuthDocument extends JsonDocument {
  readonly base_url: string;
  /** Address of the proxy on the way there; null when there is none. */
  readonly proxy: string | null;
  readonly credentials: { readonly kind: 'token' | 'key'; readonly source: string };
  /** Milliseconds since 1970; null when the token does not say. */
  readonly token_ends_at_ms: number | null;
  /** Imported accounts that the platform named; null when it was not asked for them, for want of a supplier. */
  readonly imported_accounts: number | null;
}

async function run(_: object, context: CommandContext): Promise<ExitName> {
  const { connect } = await import('../connection.ts');
  const connection = await connect(context);
  const endsAtMs = await tokenEnd(connection);
  const imported = await importedAccounts(connection, context);

  const proxy = connection.platform.proxy() ?? null;
  context.document({
    version: 1,
    base_url: connection.baseUrl,
    proxy,
    credentials: connection.credentials,
    token_ends_at_ms: endsAtMs,
    imported_accounts: imported,
    exit: exitDocument('OK'),
  } satisfies AuthDocument);
  if (context.globals.json) return 'OK';
  const lines = [
    `base URL     ${connection.baseUrl}`,
    ...(proxy === null ? [] : [`proxy        ${proxy}`]),
    `credentials  ${connection.credentials.kind} from ${connection.credentials.source}`,
    `token        ${endText(endsAtMs, context.io.timing.nowMs())}`,
    `platform     ${imported === null ? 'takes the token; give --supplier to count its accounts' : `answered, with ${counted(imported, 'imported account')}`}`,
  ];
  context.io.stdout.write(lines.map((line) => `${escapeControl(line)}\n`).join(''));
  return 'OK';
}

async function tokenEnd({ platform, baseUrl }: Connection): Promise<number | null> {
  const result = await platform.authenticate();
  if ('later' in result) throw new AppError('connection_failed', { url: baseUrl, reason: result.later });
  return result.endsAtMs;
}

/** How many imported accounts the supplier has; null without a supplier, when only the token is tried. */
async function importedAccounts(
  { platform, baseUrl }: Connection,
  context: CommandContext,
): Promise<number | null> {
  const settings = await context.settings();
  const supplier = settings.get('supplier');
  const { assertTokenTaken, importProcesses } = await import('../client/account-queries.ts');
  const target = { platform, baseUrl, accountNumberField: settings.need('accountNumberField') };
  if (supplier === undefined) {
    await assertTokenTaken(target);
    return null;
  }
  return (await importProcesses(target, supplier, 'imported')).length;
}

function endText(endsAtMs: number | null, nowMs: number): string {
  if (endsAtMs === null) return 'does not say when it ends';
  return endsAtMs <= nowMs
    ? 'has expired, by the clock of this machine'
    : `valid for ${durationText(endsAtMs - nowMs)}`;
}
