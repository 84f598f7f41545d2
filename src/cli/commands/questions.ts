import { Option } from 'commander';
import { AppError } from '../../core/app-error.ts';
import { shellWord } from '../../core/command-line.ts';
import { switchOfSupply } from '../../core/contract/account-import.ts';
import type { ErrorCode } from '../../core/error-codes/table.ts';
import type { AccountAnswer } from '../../core/operator/contract.ts';
import { durationText } from '../../core/values/duration-text.ts';
import type { CommandContext, CommandDeclaration, CommandEnd } from '../command/command.ts';
import { connect, targetOf, type Connection } from '../command/connection.ts';
import { declareRecord, type RecordFlags } from '../command/flags.ts';
import type { Result } from '../output/result.ts';
import { counted, escapeControl } from '../output/text/text.ts';
import { retryAfterMs } from '../push/waits.ts';
import {
  accountNumberField,
  appliedContract,
  authSchemeOf,
  existingStatuses,
} from '../sources/applied-contract.ts';

// The commands that ask the platform one question.

const QUESTION = { settings: ['baseUrl', 'supplier', 'contract', 'caFile'] } as const;

/** Connects to the platform of the settings. `answer`: the answer whose field for the account number is needed. */
async function askedPlatform(answer: AccountAnswer, recording: RecordFlags, context: CommandContext) {
  const settings = await context.settings();
  const contract = await appliedContract(settings, context.io.cwd);
  const authScheme = authSchemeOf(settings, contract);
  const target = { ...targetOf(settings, context.io), authScheme, recording };
  const connection = await connect(target, settings, context);
  const queries = await import('../client/account-queries.ts');
  const asked = {
    ...connection,
    accountNumberField: accountNumberField(answer, settings, contract),
    existing: existingStatuses(settings, contract),
  };
  return { settings, connection, queries, target: asked };
}

type AccountsOptions = RecordFlags & Readonly<{ state?: 'pending' | 'imported' }>;

/** Lists accounts: a table for people, and for the next program in a pipe a line for each, with tabs between its cells. */
export const accounts: CommandDeclaration<AccountsOptions> = {
  ...QUESTION,
  examples: ['dataimport accounts --supplier LEGACY', 'dataimport accounts --state pending --json'],
  declare(command) {
    const state = new Option('--state <state>', 'only accounts in this state').choices([
      'pending',
      'imported',
    ]);
    declareRecord(command.addOption(state));
  },
  async run(options, context) {
    const { settings, queries, target } = await askedPlatform('account-import-processes', options, context);
    const supplier = settings.need('supplier');
    const list = options.state ?? 'all';
    const found = await queries.importProcesses(target, supplier, list);
    const imported = found.filter(({ isImported }) => isImported).length;
    const named = found.filter(({ status }) => status !== undefined).length;
    const unasked = found.length - imported + named - queries.STATUS_QUESTIONS;
    const rest = target.existing.length > 0 && unasked > 0 ? `, ${unasked} of them not asked` : '';
    const counts = { total: found.length, pending: found.length - imported, imported };
    const rows = found.map((account) => [
      account.external_account_number,
      stateOf(account.status) ?? (account.isImported ? 'imported' : 'pending'),
      account.platform_account_number ?? '',
      account.account_created_at ?? '',
    ]);
    const table = [['account', 'state', 'platform account', 'created at'], ...rows];
    // On standard error, so that standard output in a pipe has the heading and the accounts and nothing else.
    const text = `${counted(found.length, 'account')} of supplier ${supplier}: ${imported} imported, ${counts.pending} pending${rest}`;
    context.output.emit({ kind: 'notice', text, when: 'talking' });
    return {
      exit: 'OK',
      result: {
        // Without fields that a deployment adds, and with null for a field that it leaves out.
        fields: {
          import_supplier: supplier,
          list,
          counts,
          accounts: found.map(
            ({ external_account_number, platform_account_number = null, account_created_at = null }) => ({
              external_account_number,
              platform_account_number,
              account_created_at,
            }),
          ),
        },
        text: ({ isTTY }) => [
          isTTY ? { table: rows.length > 0 ? table : [] } : { lines: table.map(tabbed).join('') },
        ],
      },
    };
  },
};

/** The word of a deployment for an account that exists, and its meaning. */
const stateOf = (status: string | undefined): string | undefined =>
  status && `${status}: the account ${switchOfSupply(status)}`;

/** An answer of the platform as facts. */
const answered = (
  fields: Result['fields'],
  facts: readonly (readonly [label: string, text: string])[],
): CommandEnd => ({ exit: 'OK', result: { fields, text: () => [{ facts }] } });

const tabbed = (cells: readonly string[]): string => `${cells.map(escapeControl).join('\t')}\n`;

export const auth: CommandDeclaration<RecordFlags> = {
  ...QUESTION,
  description:
    'Obtains a token, sends a request that needs one, and says who answers, without showing the token. With a supplier the request asks for its imported accounts.',
  examples: ['dataimport auth --supplier LEGACY'],
  declare: declareRecord,
  async run(options, context) {
    const { settings, connection, queries, target } = await askedPlatform(
      'account-import-processes',
      options,
      context,
    );
    const { baseUrl, credentials, platform } = connection;
    const endsAtMs = await tokenEnd(connection);
    const supplier = settings.get('supplier');
    let imported: number | null = null;
    if (supplier === undefined) queries.assertTokenTaken(await queries.queryWithToken(platform), baseUrl);
    else imported = (await queries.importProcesses(target, supplier, 'imported')).length;
    const proxy = platform.proxy() ?? null;
    const says =
      imported === null
        ? 'accepts the token; give --supplier to count its accounts'
        : `answered, with ${counted(imported, 'imported account')}`;
    return answered(
      { base_url: baseUrl, proxy, credentials, token_ends_at_ms: endsAtMs, imported_accounts: imported },
      [
        ['base URL', baseUrl],
        ...(proxy === null ? [] : [['proxy', proxy] as const]),
        ['credentials', `${credentials.kind} from ${credentials.source}`],
        ['token', endText(endsAtMs, context.io.timing.nowMs())],
        ['platform', says],
      ],
    );
  },
};

/** End of the token in milliseconds since 1970; null when the token does not say. */
async function tokenEnd({ platform, baseUrl: url }: Connection): Promise<number | null> {
  const result = await platform.authenticate();
  if (!('later' in result)) return result.endsAtMs;
  const askedMs = retryAfterMs(result.headers);
  const asked = askedMs > 0 ? `it asks to wait ${durationText(askedMs)}: ` : '';
  throw new AppError('connection_failed', { url, reason: asked + result.later });
}

/** By the clock of this machine. */
function endText(endsAtMs: number | null, nowMs: number): string {
  if (endsAtMs === null) return 'does not say when it ends';
  return endsAtMs <= nowMs
    ? 'has expired, by the clock of this machine'
    : `valid for ${durationText(endsAtMs - nowMs)}`;
}

type StatusOptions = RecordFlags & Readonly<{ account: string }>;

export const status: CommandDeclaration<StatusOptions> = {
  ...QUESTION,
  examples: ['dataimport status 1234567 --supplier LEGACY'],
  declare: (command) => declareRecord(command.argument('<account>', 'account number in the external system')),
  async run(options, context) {
    const { account } = options;
    const { settings, queries, target } = await askedPlatform('account-transfer-status', options, context);
    const supplier = settings.need('supplier');
    const answer = await queries.transferStatus(target, supplier, account).catch(async (error: unknown) => {
      if (!hasCode(error, 'import_process_does_not_exist')) throw error;
      // An unknown supplier and an unknown account get the same answer. The lists may name the supplier as the cause.
      await queries.importProcesses(target, supplier, 'pending').catch((of: unknown) => {
        if (hasCode(of, 'import_supplier_not_found')) throw of;
      });
      throw new AppError('import_process_does_not_exist', { supplier: shellWord(supplier) }, error);
    });
    const { status: state, platform_account_number: number } = answer;
    const isExisting = target.existing.includes(state);
    const platform =
      number === undefined
        ? `the answer has no ${target.accountNumberField} (setting accountNumberField)`
        : number || (isExisting ? 'the answer has no number of it' : 'no account yet');
    const named = { import_supplier: supplier, external_account_number: account };
    return answered({ ...named, status: state, platform_account_number: number || null }, [
      ['account', `${account} of supplier ${supplier}`],
      ['status', (isExisting && stateOf(state)) || state],
      ['platform', platform],
    ]);
  },
};

const hasCode = (error: unknown, code: ErrorCode): boolean =>
  error instanceof AppError && error.code === code;
