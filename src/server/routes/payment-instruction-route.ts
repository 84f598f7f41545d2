import { sentenceOf } from '../../core/error-codes/sentence.ts';
import { entryOf } from '../../core/error-codes/table.ts';
import { withOwnName } from '../openapi/account-number.ts';
import { failure, type Problem } from '../../core/problem.ts';
import { validationFailure } from '../http/answer.ts';
import { platformAccountNumber } from '../platform/import-processes.ts';
import type { ExtraRule } from '../options/behaviour.ts';
import type { Platform } from '../platform/platform.ts';
import type { Fields } from './envelope.ts';
import { createPaymentInstruction } from '../platform/payment-instructions.ts';
import { unknownName } from './admission.ts';
import { checkedRecords, recordRoute, refuseAny } from './record-route.ts';

/** POST payment-instruction/create (interface.md 4.5). */
export const paymentInstructionRoute = recordRoute('payment-instructions', {
  bodyProblems: referenceGivenOnce,
  // This endpoint answers 400 for every failure that the request causes (interface.md 7.2).
  missingAccount: (facts) =>
    validationFailure([failure('account_not_found', ['external_account_number'], facts)]),
  answer: (post) => {
    const { platform, account, import_supplier, external_account_number } = post;
    const [instruction] = checkedRecords(post);
    const { vendor, reference } = instruction!;
    const { vendors } = platform.store;
    if (!vendors.has(vendor) && !platform.takesAnyVendor())
      refuseAny([
        failure('invalid_choice', ['vendor'], unknownName('payment vendor', vendor, vendors.codes())),
      ]);

    const outcome = createPaymentInstruction(account, instruction!, platform);
    if (outcome === 'created') {
      const body = { platform_account_number: platformAccountNumber(account), reference };
      return { status: 201, body: withOwnName('payment-instructions', body, platform) };
    }
    // Returned, not thrown, because the failure of the vendor has to stay counted.
    return {
      status: entryOf(outcome).status ?? 500,
      body: {
        error_detail: `${sentenceOf(outcome)} (${outcome})`,
        external_account_number,
        import_supplier,
        reference,
      },
      problems: [failure(outcome, [])],
    };
  },
});

const ONE_REFERENCE = 'mutually_exclusive_field_required' satisfies ExtraRule;

/**
 * With the rule `mutually_exclusive_field_required`, of a flag or of the contract, an instruction has exactly one of two references
 * (deployments.md, "Rules named by deployments"). The interface lists the first only.
 */
function referenceGivenOnce(body: Fields, { behaviour, contract }: Platform): readonly Problem[] {
  const isOfContract = contract?.rules.some(({ code, off }) => code === ONE_REFERENCE && !off);
  if (!isOfContract && !behaviour.rules.includes(ONE_REFERENCE)) return [];
  return Object.hasOwn(body, 'reference') === Object.hasOwn(body, 'instruction_reference')
    ? [failure(ONE_REFERENCE, ['reference'])]
    : [];
}
