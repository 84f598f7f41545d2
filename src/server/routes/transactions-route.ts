import type { transactions } from '../../core/contract/resources/transactions.ts';
import { sentenceOf } from '../../core/error-codes/sentence.ts';
import { attrOfPath, under, type Problem } from '../../core/problem.ts';
import { Decimal, withPlaces } from '../../core/values/decimal.ts';
import { Refusal, Text, type Answer } from '../http/answer.ts';
import type { Conflict } from '../http/logged-request.ts';
import type { Behaviour } from '../options/behaviour.ts';
import { missingTransactionIds, repeatedIds } from '../platform/repeated-ids.ts';
import { addTransaction, type TransactionOutcome } from '../platform/transactions.ts';
import { isJsonObject } from './envelope.ts';
import { recordRoute, refuseAny } from './record-route.ts';

type ResultStatus = keyof typeof transactions.answer.statuses;

/** How many conflicting replays of a request the log names. */
const MOST_CONFLICTS = 50;

/** POST transactions/create (interface.md 4.3). */
export const transactionsRoute = recordRoute('transactions', {
  answer: (post) => {
    const { platform, candidates } = post;
    const { rules, tx400 } = platform.behaviour;
    if (rules.includes('missing_transaction_id')) refuseAny(missingTransactionIds(candidates));
    refuseAny(repeatedIds('transactions', candidates));
    const results: string[] = [];
    const conflicts: Conflict[] = [];
    let existing = 0;
    for (const [index, candidate] of candidates.entries()) {
      const outcome = addTransaction(candidate, post, platform);
      if (outcome.kind === 'refused')
        return refuseRequest(firstFailing({ candidate, index }, outcome.problems), tx400);
      results.push(resultText(outcome));
      if (outcome.kind === 'added') continue;
      existing += 1;
      const { id, differing: fields } = outcome;
      if (fields.length > 0 && conflicts.length < MOST_CONFLICTS) conflicts.push({ index, id, fields });
    }
    const body = new Text(`{"results":[${results.join(',')}]}`);
    return { status: 201, body, repetitions: { existing, conflicts } };
  },
});

/** Ends a request at its first failing transaction. Returning keeps the transactions before it, throwing undoes them. */
function refuseRequest(answer: Answer, tx400: Behaviour['tx400']): Answer {
  if (tx400 === 'prefix') return answer;
  throw new Refusal(answer);
}

/** One result. It contains the stored text of the transaction, so the transaction is written only once. */
function resultText({ kind, data }: Exclude<TransactionOutcome, { kind: 'refused' }>): string {
  return kind === 'added'
    ? `{"status":"${'TRANSACTION_ADDED_TO_ACCOUNT' satisfies ResultStatus}","transaction_data":${data}}`
    : `{"status":"${'TRANSACTION_ALREADY_EXISTS' satisfies ResultStatus}","transaction_data":${withStatus(data)}}`;
}

/** interface.md 3.3: `transaction_data` of a transaction that exists already contains this status. */
const withStatus = (data: string): string => `${data.slice(0, -1)},"status":"TRANSACTION_IMPORT_SUCCESS"}`;

/** The 400 of interface.md 4.3, with the transaction as it was sent. */
function firstFailing(
  { candidate, index }: { candidate: unknown; index: number },
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

/** A candidate that is not an object has no fields to show. */
function asSent(candidate: unknown): object {
  if (!isJsonObject(candidate)) return {};
  const { amount } = candidate;
  return amount instanceof Decimal ? { ...candidate, amount: withPlaces(amount, 2) } : candidate;
}
