import { durationText } from '../../core/values/duration-text.ts';
import { AppError } from '../../core/app-error.ts';
import type { CommandContext, CommandDeclaration, CommandEnd } from '../command/command.ts';
import { connect, targetOf, type Connection } from '../command/connection.ts';
import { declareRecord, type RecordFlags } from '../command/flags.ts';
import { retryAfterMs } from '../push/retry.ts';
import { accountNumberField, appliedContract } from '../sources/applied-contract.ts';
import type { Settings } from '../settings/settings.ts';
import { shownAs } from '../output/formats/result-formats.ts';
import { exitDocument } from '../output/json.ts';
import { counted, escapedLines } from '../output/text/text.ts';

export const command: CommandDeclaration<RecordFlags> = {
  description:
    'Obtains a token, sends a request that needs one, and says who answers, without showing the token. With a supplier the request asks for its imported accounts.',
  examples: ['dataimport auth --supplier LEGACY'],
  settings: ['baseUrl', 'supplier', 'contract', 'caFile'],
  declare: declareRecord,
  run,
};

async function run(recording: RecordFlags, context: CommandContext): Promise<CommandEnd> {
  const settings = await context.settings();
  const connection = await connect({ ...targetOf(settings, context.io), recording }, settings, context);
  const { baseUrl, credentials, platform } = connection;
  const tokenEndsAtMs = await tokenEnd(connection);
  const importedAccounts = await countImportedAccounts(connection, settings, context.io.cwd);
  return {
    exit: 'OK',
    result: shownAuthentication({
      baseUrl,
      proxy: platform.proxy() ?? null,
      credentials,
      tokenEndsAtMs,
      nowMs: context.io.timing.nowMs(),
      importedAccounts,
    }),
  };
}

async function tokenEnd({ platform, baseUrl }: Connection): Promise<number | null> {
  const result = await platform.authenticate();
  if ('later' in result) {
    const { later: reason, isInformational } = result;
    const askedMs = retryAfterMs(result.headers);
    if (askedMs > 0)
      throw new AppError('platform_asks_to_wait', { url: baseUrl, reason, time: durationText(askedMs) });
    const code = isInformational ? 'informational_answer' : 'connection_failed';
    throw new AppError(code, { url: baseUrl, reason });
  }
  return result.endsAtMs;
}

/** Number of imported accounts of the supplier. Without a supplier only the token is tried, and the number is null. */
async function countImportedAccounts(
  { platform, baseUrl }: Connection,
  settings: Settings,
  cwd: string,
): Promise<number | null> {
  const supplier = settings.get('supplier');
  const { assertTokenTaken, importProcesses, queryWithToken } = await import('../client/account-queries.ts');
  const target = {
    platform,
    baseUrl,
    accountNumberField: accountNumberField(
      'account-import-processes',
      settings,
      await appliedContract(settings, cwd),
    ),
  };
  if (supplier === undefined) {
    assertTokenTaken(await queryWithToken(platform), baseUrl);
    return null;
  }
  return (await importProcesses(target, supplier, 'imported')).length;
}

/** What `dataimport auth` found out. */
interface AuthenticationResult {
  readonly baseUrl: string;
  /** Address of the proxy on the way to the platform; null when there is none. */
  readonly proxy: string | null;
  /** Kind and origin of the secret, without the secret. */
  readonly credentials: { readonly kind: 'token' | 'key'; readonly source: string };
  /** End of the token in milliseconds since 1970; null when the token does not say. */
  readonly tokenEndsAtMs: number | null;
  /** By the clock of this machine. */
  readonly nowMs: number;
  /** Imported accounts of the supplier; null when no supplier is set, because the platform was not asked then. */
  readonly importedAccounts: number | null;
}

const shownAuthentication = shownAs<AuthenticationResult>({
  document: ({ baseUrl, proxy, credentials, tokenEndsAtMs, importedAccounts }, exit) => ({
    version: 1,
    base_url: baseUrl,
    proxy,
    credentials,
    token_ends_at_ms: tokenEndsAtMs,
    imported_accounts: importedAccounts,
    exit: exitDocument(exit),
  }),
  text: ({ baseUrl, proxy, credentials, tokenEndsAtMs, nowMs, importedAccounts }) =>
    escapedLines([
      `base URL     ${baseUrl}`,
      ...(proxy === null ? [] : [`proxy        ${proxy}`]),
      `credentials  ${credentials.kind} from ${credentials.source}`,
      `token        ${endText(tokenEndsAtMs, nowMs)}`,
      `platform     ${importedAccounts === null ? 'accepts the token; give --supplier to count its accounts' : `answered, with ${counted(importedAccounts, 'imported account')}`}`,
    ]),
});

function endText(endsAtMs: number | null, nowMs: number): string {
  if (endsAtMs === null) return 'does not say when it ends';
  return endsAtMs <= nowMs
    ? 'has expired, by the clock of this machine'
    : `valid for ${durationText(endsAtMs - nowMs)}`;
}
