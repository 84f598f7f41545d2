import { AppError } from '../../core/app-error.ts';
import { importProcesses, transferStatus, type QueryTarget } from '../client/account-queries.ts';
import type { AccountQuestions } from '../push/send/account-watch.ts';

/** Asks the platform about accounts, by its lists and by the status of single accounts. */
export function accountQuestions(lists: QueryTarget, status: QueryTarget): AccountQuestions {
  return {
    list: (supplier) =>
      importProcesses(lists, supplier, 'all').then(
        (accounts) =>
          new Map(accounts.map(({ external_account_number: number, isImported }) => [number, isImported])),
        // A supplier without accounts may be answered so (interface.md 4.7).
        (error: unknown) =>
          codeOf(error) === 'account_list_not_found' ? new Map<string, boolean>() : unlessPassing(error),
      ),
    status: ({ import_supplier: supplier, external_account_number: number }) =>
      transferStatus(status, supplier, number).then(
        (answer) => answer.status,
        (error: unknown) =>
          codeOf(error) === 'import_process_does_not_exist' ? 'missing' : unlessPassing(error),
      ),
  };
}

/**
 * A failure that may pass is no answer. Any other ends the watch. A refused token may pass: after the third in a row it has another code
 * (ports/platform.ts).
 */
function unlessPassing(error: unknown): undefined {
  if (['connection_failed', 'authentication_failed'].includes(codeOf(error) ?? '')) return undefined;
  throw error;
}

const codeOf = (error: unknown): string | undefined => (error instanceof AppError ? error.code : undefined);
