import { account, envelope } from '../account.ts';
import type { RecordIdentity, ResourceDescriptor } from '../descriptor.ts';
import * as z from 'zod/mini';
import { text } from '../field.ts';

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

/**
 * Answer of POST payment-instruction/create (interface.md 4.5). Only the reference is certain, because deployments have other
 * names for the account number (deployments.md, "Responses").
 */
const paymentInstructionResponse = z.looseObject({ reference: z.string() });

export const paymentInstructions = {
  kind: 'payment_instruction',
  endpoint: {
    name: 'createPaymentInstruction',
    method: 'POST',
    path: '/v1/data-import/payment-instruction/create/',
    request: envelope(null),
    response: paymentInstructionResponse,
    success: [201],
  },
  list: null,

  account,
  schema: paymentInstruction,
  rules: [],
  identity: paymentInstructionIdentity,

  idField: 'reference',
  typeField: 'type',
  amount: null,
  dates: [],
  items: null,

  answer: {
    list: null,
    record: null,
    statuses: null,
    namesAccount: true,
    echoed: { vendor: 'text', type: 'text' },
  },
  refusal: { mayKeepPart: false, field: 'reference', final: 'payment_instruction_refused' },
  lostAnswer: { oneByOne: false, present: { code: 'payment_instruction_already_active' } },
  repetition: {
    code: 'duplicate_payment_instructions',
    field: 'external_account_number',
    isKeyedById: false,
    exactIsHarmless: false,
  },

  headerTerms: {
    vendor:
      'vendor, provider, payment vendor, payment provider, anbieter, zahlungsdienstleister, 決済代行, ' +
      'betaaldienstverlener, betaalprovider, prestataire de paiement, fournisseur de paiement, ' +
      'proveedor de pago, proveedor de pagos, fornitore di pagamento, operator płatności, dostawca płatności',
    reference:
      'reference, instruction reference, mandate, mandate reference, token, mandat, mandatsreferenz, ' +
      'referenz, 参照番号, 口座振替番号, ' +
      'referentie, machtigingskenmerk, mandaat, mandaatreferentie, référence du mandat, rum, ' +
      'referencia, mandato, referencia del mandato, riferimento, riferimento mandato, referencja, ' +
      'numer mandatu, referencja mandatu',
    type:
      'type, instruction type, payment type, payment method, art, zahlart, zahlungsart, 支払方法, 種別, ' +
      'soort, betaalwijze, betaalmethode, betalingswijze, mode de paiement, moyen de paiement, ' +
      'type de paiement, tipo, forma de pago, método de pago, medio de pago, metodo di pagamento, ' +
      'modalità di pagamento, typ, rodzaj, sposób płatności, metoda płatności, forma płatności',
  },
} as const satisfies ResourceDescriptor<PaymentInstruction>;

/** One key for all instructions, because an account has at most one active instruction. No reference is empty. */
function paymentInstructionIdentity(): RecordIdentity {
  return { key: '', variant: undefined };
}
