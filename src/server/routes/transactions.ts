import { ENDPOINTS } from '../../core/contract/endpoints.ts';
import type { TRANSACTION_RESULT_STATUSES } from '../../core/contract/transaction.ts';
import { sentenceOf } from '../../core/error-codes/sentence.ts';
import { attrOfPath, under, type Problem } from '../../core/problem.ts';
import { rule } from '../../core/rules/rule.ts';
import { Decimal, withPlaces } from '../../core/values/decimal.ts';
import { JsonText, Refusal, type Answer } from '../http/answer.ts';
import type { Tx400 } from '../options/behaviour.ts';
import { missingTransactionIds, repeatedTransactionIds } from '../platform/repeated-ids.ts';
import { addTransaction, type TransactionOutcome } from '../platform/transactions.ts';
import { recordRoute, refuseAny, type RouteContext } from './record-route.ts';
import type { Route } from './route.ts';

type ResultStatus = (typeof TRANSACTION_RESULT_STATUSES)[number];

/** POST transactions/create (interface.md 4.3). */
export function transactionsRoute(context: RouteContext): Route {
  return recordRoute('transactions', context, {
    query: ENDPOINTS.createTransactions.query,
    answer: (post) => {
      const { behaviour } = context.platform;
      if (behaviour.rules.includes('missing_transaction_id'))
        refuseAny(missingTransactionIds(post.candidates));
      refuseAny(repeatedTransactionIds(post.candidates));
      const results: string[] = [];
      for (const [index, candidate] of post.candidates.entries()) {
        const outcome = addTransaction(candidate, post, context.platform);
        if (outcome.kind !== 'refused') results.push(resultText(outcome));
        else return refuseRequest(firstFailing({ candidate, index }, outcome.problems), behaviour.tx400);
      }
      return { status: 201, body: new JsonText(`{"results":[${results.join(',')}]}`) };
    },
  });
}

export const refuseRequest = rule(
  {
    name: 'failing-transaction',
    authority: 'chosen',
    source: 'emulator.md, "Decisions where the interface is silent" (interface.md 4.3)',
    says: 'The first failing transaction in order ends its request with a 400. The transactions before it are not kept; with --tx-400 prefix they are.',
    tested: 'server/options/behaviour › --tx-400 $tx400 keeps $kept before a failing transaction',
  },
  (answer: Answer, tx400: Tx400): Answer => {
    // What is returned keeps what was written; what is thrown undoes it.
    if (tx400 === 'prefix') return answer;
    throw new Refusal(answer);
  },
);

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
function firstFailing(
  { candidate, index }: { readonly candidate: unknown; readonly index: number },
  problems: readonly Problem[],
): Answer {
  const status: ResultStatus = 'TRANSACTION_IMPORT_ERROR';
  const error_detail = problems
    .filter((problem) => problem.severity === 'error')
    .map(
      ({ code, path, facts }) => `${attrOfPath(path) || 'transaction'}: ${sentenceOf(code, facts)} (${code})`,
    )
    .join('; ');
  return {
    status: 400,
    body: { status, error_detail, transaction_data: asSent(candidate) },
    problems: problems.map((problem) => under(['transactions', index], problem)),
  };
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
