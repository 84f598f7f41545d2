import type { PaymentInstruction } from '../../core/contract/resources/payment-instructions.ts';
import { DESCRIPTORS } from '../../core/contract/resources.ts';
import type { StoredAccount } from '../store/accounts.ts';
import type { Platform } from './platform.ts';

/** The answer of the vendor when the platform asks for an instruction. */
type VendorAnswer =
  | 'found'
  | 'payment_instruction_not_found'
  | 'payment_vendor_unreachable'
  | 'payment_vendor_failed';

type InstructionOutcome = 'created' | 'payment_instruction_already_active' | Exclude<VendorAnswer, 'found'>;

/** Creates an instruction that the vendor has. An account with an active instruction takes no second one. */
export function createPaymentInstruction(
  account: StoredAccount,
  instruction: PaymentInstruction,
  platform: Platform,
): InstructionOutcome {
  const { records } = platform.store;
  const { key } = DESCRIPTORS['payment-instructions'].identity(instruction);
  const recordKey = { accountId: account.id, kind: 'payment_instruction', key, variant: '' } as const;
  if (records.at(recordKey)) return 'payment_instruction_already_active';
  const answer = askVendor(account, instruction, platform);
  if (answer !== 'found') return answer;
  return records.add({ ...recordKey, data: JSON.stringify(instruction) })
    ? 'created'
    : 'payment_instruction_already_active';
}

/** Plays the payment vendor as the seed describes it. Nothing leaves the machine. */
function askVendor({ id }: StoredAccount, instruction: PaymentInstruction, platform: Platform): VendorAnswer {
  const { vendors } = platform.store;
  const known = vendors.instruction(instruction.vendor, instruction.reference);
  if (known?.fails === 'persistent') return 'payment_vendor_unreachable';
  if (known?.fails === 'intermittent' && vendors.countFailure(id, known)) return 'payment_vendor_failed';
  if (!known && platform.takesAnyVendor()) return 'found';
  return known?.type === instruction.type ? 'found' : 'payment_instruction_not_found';
}
