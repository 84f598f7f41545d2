import * as z from 'zod/mini';
import { text } from './field.ts';

/** Instruction types that one deployment lists (deployments.md, "Shapes and bounds"); the enum is open. */
export const KNOWN_INSTRUCTION_TYPES = [
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

/**
 * Answer of POST payment-instruction/create (interface.md 4.5). Only the reference is certain, because deployments have other
 * names for the account number (deployments.md, "Responses").
 */
export const paymentInstructionResponse = z.looseObject({ reference: z.string() });
