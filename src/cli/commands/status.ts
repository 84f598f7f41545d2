import { Option } from 'commander';
import { AppError } from '../../core/app-error.ts';
import type { AccountTransferStatus, ImportStatus } from '../../core/contract/account-import.ts';
import type { CommandContext, CommandDeclaration, CommandEnd } from '../command/command.ts';
import { accountNumberField, appliedContract } from '../sources/applied-contract.ts';
import { connect, targetOf } from '../command/connection.ts';
import { declareRecord, flagValue, type RecordFlags } from '../command/flags.ts';
import type { OutputPort } from '../output/output.ts';
import type { Timing } from '../push/ports/timing.ts';
import { duration } from '../settings/parsers.ts';
import { shownAs } from '../output/formats/result-formats.ts';
import { exitDocument } from '../output/json.ts';
import { escapedLines } from '../output/text/text.ts';

export interface StatusOptions extends RecordFlags {
  /** The account number in the external system. */
  readonly account: string;
  readonly wait?: boolean;
  /** Longest wait, in milliseconds. */
  readonly timeout: number;
}

export const command: CommandDeclaration<StatusOptions> = {
  examples: ['dataimport status 1234567 --supplier LEGACY', 'dataimport status 1234567 --wait --timeout 10m'],
  settings: ['baseUrl', 'supplier', 'contract', 'caFile'],
  declare(command) {
    command
      .argument('<account>', 'account number in the external system')
      .option('--wait', 'ask again until the account is imported')
      .addOption(
        new Option('--timeout <duration>', 'longest wait')
          .argParser(flagValue(duration))
          .default(600_000, '10m'),
      );
    declareRecord(command);
  },
  run,
};

/** Time between two requests while waiting, in milliseconds. */
const POLL_MS = 3_000;

async function run(options: StatusOptions, context: CommandContext): Promise<CommandEnd> {
  const { account, wait, timeout } = options;
  const { io, output } = context;
  const settings = await context.settings();
  const supplier = settings.need('supplier');
  const { platform, baseUrl } = await connect(
    { ...targetOf(settings, io), recording: options },
    settings,
    context,
  );
  const target = {
    platform,
    baseUrl,
    accountNumberField: accountNumberField(
      'account-transfer-status',
      settings,
      await appliedContract(settings, io.cwd),
    ),
  };
  const { importProcesses, transferStatus } = await import('../client/account-queries.ts');
  const ask = () =>
    transferStatus(target, supplier, account).catch(async (error: unknown) => {
      // An unknown supplier and an unknown account get the same answer. The lists may name the supplier as the cause.
      if (error instanceof AppError && error.code === 'import_process_does_not_exist')
        await importProcesses(target, supplier, 'pending').catch(onlyMissingSupplier);
      throw error;
    });
  const answer = wait
    ? await waitUntilImported(ask, { timeoutMs: timeout, timing: io.timing, output })
    : await ask();
  const { platform_account_number: number } = answer;
  return {
    exit: 'OK',
    result: shownAccountStatus({
      supplier,
      account,
      status: answer.status,
      platformAccount: number || null,
      missingField: number === undefined ? target.accountNumberField : null,
    }),
  };
}

/**
 * Asks until the account is imported. A platform that cannot be reached for a moment does not end the wait.
 * @throws AppError `wait_timed_out`; `connection_failed` when the last request before the timeout failed
 */
async function waitUntilImported(
  ask: () => Promise<AccountTransferStatus>,
  { timeoutMs, timing, output }: { timeoutMs: number; timing: Timing; output: Pick<OutputPort, 'waiting'> },
): Promise<AccountTransferStatus> {
  const startedMs = timing.monotonicMs();
  const line = await output.waiting({ state: 'no answer yet', untilMs: startedMs + timeoutMs });
  let latest: AccountTransferStatus | AppError;
  try {
    for (;;) {
      latest = await ask().catch(transientFailure);
      if (!(latest instanceof AppError) && latest.status === ('COMPLETED' satisfies ImportStatus))
        return latest;
      const waitedMs = timing.monotonicMs() - startedMs;
      if (waitedMs >= timeoutMs) break;
      line.show(latest instanceof AppError ? latest.message : latest.status);
      await timing.sleep(Math.min(POLL_MS, timeoutMs - waitedMs));
    }
  } finally {
    line.stop();
  }
  if (latest instanceof AppError) throw latest;
  throw new AppError('wait_timed_out', { status: latest.status, seconds: Math.round(timeoutMs / 1_000) });
}

function onlyMissingSupplier(error: unknown): void {
  if (error instanceof AppError && error.code === 'import_supplier_not_found') throw error;
}

function transientFailure(error: unknown): AppError {
  if (error instanceof AppError && error.code === 'connection_failed') return error;
  throw error;
}

/** How far the import of one account is. */
interface AccountStatusResult {
  readonly supplier: string;
  readonly account: string;
  readonly status: string;
  /** The platform's own number; null while no account exists. */
  readonly platformAccount: string | null;
  /** The field for that number, when the answer does not have it; otherwise null. */
  readonly missingField: string | null;
}

const shownAccountStatus = shownAs<AccountStatusResult>({
  document: ({ supplier, account, status, platformAccount }, exit) => ({
    version: 1,
    import_supplier: supplier,
    external_account_number: account,
    status,
    platform_account_number: platformAccount,
    exit: exitDocument(exit),
  }),
  text: ({ supplier, account, status, platformAccount, missingField }) =>
    escapedLines([
      `account   ${account} of supplier ${supplier}`,
      `status    ${status}`,
      missingField === null
        ? `platform  ${platformAccount ?? 'no account yet'}`
        : `platform  the answer has no ${missingField} (setting accountNumberField)`,
    ]),
});
