import type { PaymentInstruction } from '../../core/contract/payment-instruction.ts';
import { rule } from '../../core/rules/rule.ts';
import type { StoredAccount } from '../store/accounts.ts';
import type { Platform } from './platform.ts';

/** What the vendor says when the platform asks for an instruction. */
export type VendorAnswer =
  | 'found'
  | 'payment_instruction_not_found'
  | 'payment_vendor_unreachable'
  | 'payment_vendor_failed';

/** The upstream payment vendor, as the seed describes it; nothing leaves the machine. */
export const askVendor = rule(
  {
    name: 'payment-vendor',
    authority: 'documented',
    source: 'interface.md 4.5; how the vendor fails: docs/serve.md',
    says: 'The vendor is asked whether the instruction exists with this type; a seeded failure is persistent, or passes after a number of tries for each account.',
    tested:
      'server/routes/payment-instructions › 4.5: 500 for an intermittent failure, as often as the seed says for each account, and then it goes well',
    codes: ['payment_instruction_not_found', 'payment_vendor_unreachable', 'payment_vendor_failed'],
  },
  (account: StoredAccount, instruction: PaymentInstruction, { store }: Platform): VendorAnswer => {
    const held = store.vendors.instruction(instruction.vendor, instruction.reference);
    if (held?.fails === 'persistent') return 'payment_vendor_unreachable';
    if (held?.fails === 'intermittent' && store.vendors.countFailure(account.id, held))
      return 'payment_vendor_failed';
    return held?.type === instruction.type ? 'found' : 'payment_instruction_not_found';
  },
);
