import { ENDPOINTS } from '../../core/contract/endpoints.ts';
import type { TRANSACTION_RESULT_STATUSES } from '../../core/contract/transaction.ts';
import { sentenceOf } from '../../core/error-codes/sentence.ts';
import { attrOfPath, type Problem } from '../../core/problem.ts';
import { Decimal, withPlaces } from '../../core/values/decimal.ts';
import { JsonText, Refusal, type Answer } from '../answer.ts';
import { repeatedTransactionIds } from '../platform/repeated-ids.ts';
import { addTransaction, type TransactionOutcome } from '../platform/transactions.ts';
import { recordRoute, refuseAny, type RouteContext } from './record-route.ts';
import type { Route } from './route.ts';

type ResultStatus = (typeof TRANSACTION_RESULT_STATUSES)[number];

/** POST transactions/create (interface.md 4.3). */
export function transactionsRoute(context: RouteContext): Route {
  return recordRoute('transactions', context, {
    query: ENDPOINTS.createTransactions.query,
    answer: (post) => {
      refuseAny(repeatedTransactionIds(post.candidates));
      const results = post.candidates.map((candidate) => {
        const outcome = addTransaction(candidate, post, context.platform);
        if (outcome.kind === 'refused') throw new Refusal(firstFailing(candidate, outcome.problems));
        return resultText(outcome);
      });
      return { status: 201, body: new JsonText(`{"results":[${results.join(',')}]}`) };
    },
  });
}

/** One result; the transaction is the text that was stored, so it is not written a second time. */
function resultText({ kind, data }: Exclude<TransactionOutcome, { kind: 'refused' }>): string {
  return kind === 'added'
    ? `{"status":"${'TRANSACTION_ADDED_TO_ACCOUNT' satisfies ResultStatus}","transaction_data":${data}}`
    : `{"status":"${'TRANSACTION_ALREADY_EXISTS' satisfies ResultStatus}","transaction_data":${withStatus(data)}}`;
}

/** interface.md 3.3: the value occurs inside `transaction_data` of a transaction that exists already. */
function withStatus(data: string): string {
  return `${data.slice(0, -1)},"status":"TRANSACTION_IMPORT_SUCCESS"}`;
}

/** The 400 of interface.md 4.3, with the transaction as it was sent. */
function firstFailing(candidate: unknown, problems: readonly Problem[]): Answer {
  const status: ResultStatus = 'TRANSACTION_IMPORT_ERROR';
  const error_detail = problems
    .filter((problem) => problem.severity === 'error')
    .map(
      ({ code, path, facts }) => `${attrOfPath(path) || 'transaction'}: ${sentenceOf(code, facts)} (${code})`,
    )
    .join('; ');
  return { status: 400, body: { status, error_detail, transaction_data: asSent(candidate) } };
}

/** What is no object has no fields to show. */
function asSent(candidate: unknown): object {
  if (
    typeof candidate !== 'object' ||
    candidate === null ||
    Object.getPrototypeOf(candidate) !== Object.prototype
  )
    return {};
  const { amount } = candidate as { readonly amount?: unknown };
  return amount instanceof Decimal ? { ...candidate, amount: withPlaces(amount, 2) } : candidate;
}
