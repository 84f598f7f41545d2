import { accountFields, envelope } from '../account.ts';
import type { RecordIdentity, ResourceDescriptor } from '../descriptor.ts';
import {
  paymentInstruction,
  paymentInstructionResponse,
  type PaymentInstruction,
} from '../payment-instruction.ts';

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

  account: accountFields,
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
