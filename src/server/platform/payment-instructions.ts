import type { PaymentInstruction } from '../../core/contract/payment-instruction.ts';
import { paymentInstructionIdentity } from '../../core/rules/record-identity.ts';
import { rule } from '../../core/rules/rule.ts';
import type { StoredAccount } from '../store/accounts.ts';
import { askVendor, type VendorAnswer } from './payment-vendor.ts';
import type { Platform } from './platform.ts';

/** What became of an instruction. */
export type InstructionOutcome =
  | 'created'
  | 'payment_instruction_already_active'
  | Exclude<VendorAnswer, 'found'>;

export const createPaymentInstruction = rule(
  {
    name: 'create-payment-instruction',
    authority: 'observed',
    source: 'interface.md 4.5; a second one: deployments.md, "Responses"',
    says: 'An account with an active instruction takes no second one, and then the vendor is not asked; otherwise the vendor decides.',
    tested:
      'server/routes/payment-instructions › silent: of instructions for one account that arrive together exactly one is created',
    codes: ['payment_instruction_already_active'],
  },
  (account: StoredAccount, instruction: PaymentInstruction, platform: Platform): InstructionOutcome => {
    const { records } = platform.store;
    const { key } = paymentInstructionIdentity(instruction);
    const place = { accountId: account.id, kind: 'payment_instruction', key, variant: '' } as const;
    if (records.at(place)) return 'payment_instruction_already_active';
    const answer = askVendor(account, instruction, platform);
    if (answer !== 'found') return answer;
    return records.add({ ...place, data: JSON.stringify(instruction) })
      ? 'created'
      : 'payment_instruction_already_active';
  },
);
