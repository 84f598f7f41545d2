import { sentenceOf } from '../../core/error-codes/sentence.ts';
import { entryOf } from '../../core/error-codes/table.ts';
import { failure } from '../../core/problem.ts';
import { validationFailure } from '../http/answer.ts';
import { platformAccountNumber } from '../platform/account-number.ts';
import { createPaymentInstruction } from '../platform/payment-instructions.ts';
import { checkedRecords, recordRoute, refuseAny, type RouteContext } from './record-route.ts';
import type { Route } from './route.ts';

/** POST payment-instruction/create (interface.md 4.5). */
export function paymentInstructionRoute(context: RouteContext): Route {
  return recordRoute('payment-instructions', context, {
    query: {},
    // Every failure of this endpoint that can be laid to the request is a 400 (interface.md 7.2).
    missingAccount: () => validationFailure([failure('account_not_found', ['external_account_number'])]),
    answer: (post) => {
      const { platform } = context;
      const [instruction] = checkedRecords('payment-instructions', post, () => []);
      const { vendor, reference } = instruction!;
      if (!platform.store.vendors.has(vendor)) refuseAny([failure('invalid_choice', ['vendor'])]);

      const outcome = createPaymentInstruction(post.account, instruction!, platform);
      if (outcome === 'created') {
        return {
          status: 201,
          body: { platform_account_number: platformAccountNumber(post.account), reference },
        };
      }
      // Returned, not thrown: that the vendor failed once more has to stay counted.
      const { import_supplier, external_account_number } = post;
      const error_detail = `${sentenceOf(outcome)} (${outcome})`;
      return {
        status: entryOf(outcome).status ?? 500,
        body: { error_detail, external_account_number, import_supplier, reference },
        problems: [failure(outcome, [])],
      };
    },
  });
}
