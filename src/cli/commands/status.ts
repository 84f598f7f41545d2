import { Option } from 'commander';
import { AppError } from '../../core/app-error.ts';
import type { AccountTransferStatus, ImportStatus } from '../../core/contract/account-import.ts';
import type { CommandContext, CommandDeclaration } from '../command.ts';
import type { ExitName } from '../exit-codes.ts';
import { flagValue } from '../flag-value.ts';
import { exitDocument, type JsonDocument } from '../render/json-output.ts';
import { durationText, escapeControl } from '../render/text.ts';
import { duration } from '../settings/reading.ts';

export interface StatusOptions {
  /** The account number in the external system. */
  readonly account: string;
  readonly wait?: boolean;
  /** Longest wait, in milliseconds. */
  readonly timeout: number;
}

export const status: CommandDeclaration<StatusOptions> = {
  name: 'status',
  group: 'Look',
  summary: 'Show how far the import of one account has come',
  examples: ['dataimport status 1234567 --supplier LEGACY', 'dataimport status 1234567 --wait --timeout 10m'],
  settings: ['baseUrl', 'supplier', 'caFile'],
  declare(command) {
    command
      .argument('<account>', 'account number in the external system')
      .option('--wait', 'ask again until the account is imported')
      .addOption(
        new Option('--timeout <duration>', 'longest wait')
          .argParser(flagValue(duration))
          .default(600_000, '10m'),
      );
  },
  run,
};

interface StatusDocument extends JsonDocument {
  readonly import_supplier: string;
  readonly external_account_number: string;
  readonly status: string;
  /** Null while no account exists. */
  readonly platform_account_number: string | null;
}

/** Time between two questions while waiting, in milliseconds. */
const POLL_MS = 3_000;

async function run(options: StatusOptions, context: CommandContext): Promise<ExitName> {
  const settings = await context.settings();
  const supplier = settings.need('supplier');
  const { connect } = await import('../connection.ts');
  const { importProcesses, transferStatus } = await import('../client/account-queries.ts');
  const { platform, baseUrl } = await connect(context);
  const target = { platform, baseUrl, accountNumberField: settings.need('accountNumberField') };
  const ask = () =>
    transferStatus(target, supplier, options.account).catch(async (error: unknown) => {
      // The answer is the same for both; the lists tell whether it is the supplier that does not exist.
      if (error instanceof AppError && error.code === 'import_process_does_not_exist')
        await importProcesses(target, supplier, 'pending').catch(onlyMissingSupplier);
      throw error;
    });

  const answer = options.wait ? await waitUntilImported(ask, options, context) : await ask();
  const number = answer.platform_account_number === '' ? null : answer.platform_account_number;
  context.document({
    version: 1,
    import_supplier: supplier,
    external_account_number: options.account,
    status: answer.status,
    platform_account_number: number,
    exit: exitDocument('OK'),
  } satisfies StatusDocument);
  if (!context.globals.json) {
    const lines = [
      `account   ${options.account} of supplier ${supplier}`,
      `status    ${answer.status}`,
      `platform  ${number ?? 'no account yet'}`,
    ];
    context.io.stdout.write(lines.map((line) => `${escapeControl(line)}\n`).join(''));
  }
  return 'OK';
}

/**
 * Asks until the account is imported. A platform that cannot be reached for a moment does not end the wait.
 * @throws AppError `wait_timed_out`; `connection_failed` when it could not be asked even once in time
 */
async function waitUntilImported(
  ask: () => Promise<AccountTransferStatus>,
  { timeout }: StatusOptions,
  { io, globals }: CommandContext,
): Promise<AccountTransferStatus> {
  const startedMs = io.timing.monotonicMs();
  let latest: AccountTransferStatus | AppError | undefined;
  for (;;) {
    const before = textOf(latest);
    latest = await ask().catch(transientFailure);
    if (!(latest instanceof AppError) && latest.status === ('COMPLETED' satisfies ImportStatus))
      return latest;
    const waitedMs = io.timing.monotonicMs() - startedMs;
    if (textOf(latest) !== before && !globals.quiet) {
      io.stderr.write(
        `${escapeControl(textOf(latest))}; waiting up to ${durationText(timeout - waitedMs)}\n`,
      );
    }
    if (waitedMs >= timeout) break;
    await io.timing.sleep(Math.min(POLL_MS, timeout - waitedMs));
  }
  if (latest instanceof AppError) throw latest;
  throw new AppError('wait_timed_out', { status: latest.status, seconds: Math.round(timeout / 1_000) });
}

function onlyMissingSupplier(error: unknown): void {
  if (error instanceof AppError && error.code === 'import_supplier_not_found') throw error;
}

function transientFailure(error: unknown): AppError {
  if (error instanceof AppError && error.code === 'connection_failed') return error;
  throw error;
}

function textOf(state: AccountTransferStatus | AppError | undefined): string {
  return state instanceof AppError ? state.message : (state?.status ?? '');
}
