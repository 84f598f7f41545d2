import * as z from 'zod/mini';
import { accountFields } from './account.ts';
import { text } from './field.ts';

/** Instruction types that one deployment lists (deployments.md, "Shapes and bounds"); the enum is open. */
const KNOWN_INSTRUCTION_TYPES = [
  'BPAY',
  'CARD',
  'CUSTOM',
  'DIRECT_DEBIT',
  'GMO_REFUND',
  'PAYMENT_SLIP',
] as const;

/** A payment instruction without its account (interface.md 2.6). */
export const paymentInstruction = z.strictObject({
  vendor: text(),
  reference: text({ max: 512 }),
  type: text({ known: KNOWN_INSTRUCTION_TYPES }),
});
export type PaymentInstruction = z.infer<typeof paymentInstruction>;

/** Body of POST payment-instruction/create: the account and its one instruction, side by side (interface.md 4.5). */
export const paymentInstructionRequest = z.catchall(z.object({ ...accountFields }), z.unknown());

/**
 * Answer of POST payment-instruction/create (interface.md 4.5). Only the reference is certain, because deployments have other
 * names for the account number (deployments.md, "Responses").
 */
export const paymentInstructionResponse = z.looseObject({
  reference: z.string(),
});
