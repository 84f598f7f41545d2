import type { PlatformAnswer } from '../../src/cli/push/ports/platform.ts';
import { exactText } from './oracle/exact-json.ts';
import { KIND_OF, type OracleRecord } from './oracle/records.ts';
import type { RuledAccount } from './oracle/rules.ts';
import type { AnswerClass } from './request-log.ts';
import { goodAnswer } from './simulated-answers.ts';
import type { Arrived } from './simulated-request.ts';

/** The answer to a request, and its meaning for the records. */
export interface Applied {
  readonly answer: PlatformAnswer;
  readonly means: AnswerClass;
}

/** Adds the records of a request to its account by the rules of the platform, all or none, and answers. */
export function applied(account: RuledAccount, arrived: Arrived): Applied {
  const { resource, records, asked } = arrived;
  const kind = KIND_OF[resource];
  const isRefusedWhole = resource === 'statements' || resource === 'payment-instructions';
  // An account has one instruction, whatever its reference.
  const taken = records.filter((record) =>
    resource === 'payment-instructions'
      ? account.stored.some((stored) => stored.kind === kind)
      : account.holds(kind, record),
  );
  if (isRefusedWhole && taken.length > 0)
    return { answer: alreadyThere(arrived, new Set(taken)), means: 'present' };
  const effects = records.map((record) => account.add(kind, record, asked));
  return { answer: goodResponse(arrived, effects), means: 'ok' };
}

/** The 201 to a request with these effects on its records. */
export function goodResponse(arrived: Arrived, effects: readonly string[]): PlatformAnswer {
  return { kind: 'answer', status: 201, headers: {}, body: exactText(goodAnswer(arrived, effects)) };
}

/** The 400 that names the existing records (deployments.md, "Responses"). */
function alreadyThere(arrived: Arrived, taken: ReadonlySet<OracleRecord>): PlatformAnswer {
  const { resource, account, records } = arrived;
  const code = 'historical_statement_already_exists';
  const body =
    resource === 'statements'
      ? {
          detail: 'x',
          code: 'validation_error',
          errors: records.flatMap((record, index) =>
            taken.has(record) ? [{ detail: 'x', code, attr: `statements.${index}.statement_id` }] : [],
          ),
        }
      : {
          error_detail: 'active already',
          external_account_number: account,
          import_supplier: 'ACME',
          reference: records[0]!['reference']!,
        };
  return { kind: 'answer', status: 400, headers: {}, body: JSON.stringify(body) };
}
