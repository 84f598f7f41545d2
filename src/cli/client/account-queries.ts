import type * as z from 'zod/mini';
import { AppError } from '../../core/app-error.ts';
import type { AccountImportProcess, AccountTransferStatus } from '../../core/contract/account-import.ts';
import { accountNumberNames } from '../../core/contract/account-number.ts';
import { ENDPOINTS, pathOf } from '../../core/contract/endpoints.ts';
import { retryOfStatus } from '../../core/contract/retry.ts';
import { entryOf, isErrorCode, type ErrorCode } from '../../core/error-codes/table.ts';
import { decodeError } from '../../core/validation-error.ts';
import { isJsonObject, plainJson } from '../../core/values/plain-json.ts';
import type { Platform, PlatformAnswer } from '../push/ports/platform.ts';
import { reasonIn, unprovenAnswer } from '../push/ports/seen-answer.ts';

/** The platform to ask, and its name for its account number. */
export interface QueryTarget {
  readonly platform: Platform;
  readonly baseUrl: string;
  /** Field of the answers with the platform's account number (deployments.md). */
  readonly accountNumberField: string;
  /** Statuses of accounts that exist. A list is completed with those of its pending accounts then. Default: none. */
  readonly existing?: readonly string[];
}

/** The three lists of interface.md 4.7 to 4.9. */
const LIST_ENDPOINTS = {
  all: ENDPOINTS.allAccountImportProcesses,
  pending: ENDPOINTS.pendingAccountImportProcesses,
  imported: ENDPOINTS.importedAccountImportProcesses,
} as const;

/**
 * Import status of one account (interface.md 4.6).
 * @throws AppError `connection_failed` for a failure that may pass; a code of the platform for one that does not
 */
export function transferStatus(
  target: QueryTarget,
  supplier: string,
  account: string,
): Promise<AccountTransferStatus> {
  const path = pathOf(ENDPOINTS.accountTransferStatus, {
    importSupplier: supplier,
    externalAccountNumber: account,
  });
  return query(target, path, ENDPOINTS.accountTransferStatus.response, 'import_process_does_not_exist');
}

/** An account of a list, and whether the platform has created it. */
export type ListedAccount = AccountImportProcess & { readonly isImported: boolean; readonly status?: string };

/** A list asks for the status of so many pending accounts at most. */
export const STATUS_QUESTIONS = 200;

/**
 * One list of the account imports of a supplier. interface.md 4.7 does not say how a supplier without accounts is answered, so
 * a 404 without a code may mean that, or an unknown supplier. Where the list of all accounts does not say which are imported,
 * the list of imported accounts does.
 * @throws AppError as `transferStatus`
 */
export async function importProcesses(
  target: QueryTarget,
  supplier: string,
  which: keyof typeof LIST_ENDPOINTS,
): Promise<readonly ListedAccount[]> {
  const path = pathOf(LIST_ENDPOINTS[which], { importSupplier: supplier });
  const accounts = await query(target, path, LIST_ENDPOINTS[which].response, 'not_found');
  const isUnsaid = which === 'all' && accounts.some((account) => saysImported(account) === undefined);
  // The answer of success needs an imported account (interface.md 4.9).
  const ofImported = isUnsaid ? await importProcesses(target, supplier, 'imported').catch(noneListed) : [];
  const imported = new Set(ofImported.map((account) => account.external_account_number));
  const listed = accounts.map((account): ListedAccount => ({
    ...account,
    isImported:
      saysImported(account) ?? (which === 'imported' || imported.has(account.external_account_number)),
  }));
  const { existing = [] } = target;
  const pending = existing.length === 0 ? [] : listed.filter(({ isImported }) => !isImported);
  const asked = pending.slice(0, STATUS_QUESTIONS).map(async (account) => {
    const { status } = await transferStatus(target, supplier, account.external_account_number);
    return [account, existing.includes(status) ? { isImported: true, status } : {}] as const;
  });
  const found = new Map(await Promise.all(asked));
  return listed.map((account) => ({ ...account, ...found.get(account) }));
}

/** Whether an item says that its account is imported, by the number or the time of the account. Undefined without both. */
function saysImported({
  platform_account_number: number,
  account_created_at: time,
}: AccountImportProcess): boolean | undefined {
  if (number !== undefined) return number !== null && number !== '';
  return time === undefined ? undefined : time !== null;
}

function noneListed(error: unknown): readonly ListedAccount[] {
  if (error instanceof AppError && error.code === 'not_found') return [];
  throw error;
}

/** A code that no supplier has, because an account query needs a code. */
const NOBODY = 'dataimport-auth-check';

/** Sends a query that needs a token and changes nothing. Its supplier need not exist. */
export function queryWithToken(platform: Platform, signal?: AbortSignal): Promise<PlatformAnswer> {
  const path = pathOf(LIST_ENDPOINTS.imported, { importSupplier: NOBODY });
  return platform.send({ method: 'GET', path, body: null }, signal);
}

/**
 * Checks that an answer to `queryWithToken` comes from the platform and that the token is accepted.
 * @throws AppError as `transferStatus`, except for a missing supplier
 */
export function assertTokenTaken(answer: PlatformAnswer, baseUrl: string): void {
  // The platform checks the token first (deployments.md, "Order of checks"), so these statuses prove that it is accepted.
  const isTaken = answer.kind === 'answer' && [200, 400, 403, 404].includes(answer.status);
  if (!isTaken) throw refusal(answer, baseUrl, 'not_found');
  // A 404 may also be a page of another server. An answer of the interface is JSON.
  if (plainJson(answer.body) === undefined) {
    const reason = 'its answer to a question about accounts is no JSON; is it the right address?';
    throw new AppError('connection_failed', { url: baseUrl, reason });
  }
}

async function query<T>(
  target: QueryTarget,
  path: string,
  schema: z.ZodMiniType<T>,
  notFound: ErrorCode,
): Promise<T> {
  const { platform, baseUrl, accountNumberField } = target;
  const answer = await platform.send({ method: 'GET', path, body: null });
  if (answer.kind !== 'answer' || answer.status !== 200) throw refusal(answer, baseUrl, notFound);
  const body = plainJson(answer.body);
  const parsed = schema.safeParse(withNeutralName(body, accountNumberField));
  const isNamedOtherwise = otherAccountNumber(body, accountNumberField);
  if (parsed.success && !isNamedOtherwise) return parsed.data;
  const reason = `its answer is not what the interface shows; does it name the account number \`${accountNumberField}\`?`;
  throw new AppError('connection_failed', { url: baseUrl, reason });
}

/** Codes of a 404 that say less than the query does: a status query knows that the account is not even staged. */
const VAGUE: ReadonlySet<string> = new Set<ErrorCode>(['not_found', 'account_not_found']);

/** What a 404 for a list of accounts means, and what to do. */
const NO_LIST = {
  what: 'the platform has no such list of accounts (404): no import supplier has this code, or the supplier has no accounts in the list',
  todo: 'Check --supplier. When the code is right, the platform has no such account of the supplier yet.',
};

function refusal(answer: PlatformAnswer, url: string, notFound: ErrorCode): AppError {
  if (answer.kind !== 'answer') {
    // A query has no third try.
    if (answer.gateway !== undefined)
      return new AppError('credentials_gateway_refused', { reason: answer.gateway });
    if (answer.refusedTokens !== undefined) return new AppError('authentication_failed', { status: 401 });
    return new AppError('connection_failed', { url, reason: answer.reason });
  }
  const { status } = answer;
  if (retryOfStatus(status) === 'wait' || (status > 200 && status < 300)) {
    return new AppError('connection_failed', { url, reason: `it answered with status ${status}` });
  }
  if (status >= 300 && status < 400) return new AppError('answer_unproven', { what: unprovenAnswer(status) });
  const named = decodeError(plainJson(answer.body)).problems[0]?.code;
  const code =
    named && !VAGUE.has(named) && isErrorCode(named) && entryOf(named).status === status ? named : undefined;
  const byStatus: Readonly<Record<number, ErrorCode>> = {
    401: 'authentication_failed',
    403: 'permission_denied',
    404: notFound,
  };
  const reason = reasonIn(answer);
  if (code === undefined && reason !== '' && (status === 403 || byStatus[status] === undefined))
    return new AppError('answer_unproven', { what: `${unprovenAnswer(status)}: ${reason}` });
  const shown = code ?? byStatus[status] ?? 'answer_unproven';
  return new AppError(shown, { status, ...(shown === 'not_found' && NO_LIST) });
}

/** Whether a list has account numbers under another name than the operator's, so that every account would look pending. */
function otherAccountNumber(body: unknown, field: string): boolean {
  const items: readonly unknown[] = Array.isArray(body) ? body : [];
  return items.some(
    (item) => isJsonObject(item) && !Object.hasOwn(item, field) && accountNumberNames(item).length > 0,
  );
}

/** The answer with its account number under the name that the contract uses. */
function withNeutralName(body: unknown, field: string): unknown {
  if (Array.isArray(body)) return body.map((item) => withNeutralName(item, field));
  if (typeof body !== 'object' || body === null || !Object.hasOwn(body, field)) return body;
  return { ...body, platform_account_number: (body as Record<string, unknown>)[field] };
}
