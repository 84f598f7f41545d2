import * as z from 'zod/mini';
import { choice, date, decimal, text } from './field.ts';

/** The five shapes of a transaction (interface.md 2.4). A closed enum, because nobody knows the fields of a sixth shape. */
export const TRANSACTION_TYPES = ['CHARGE', 'CREDIT', 'PAYMENT', 'REPAYMENT', 'SUPPLY_CHARGE'] as const;
export type TransactionType = (typeof TRANSACTION_TYPES)[number];

/** Values that interface.md 2.4 shows; the enums are open (deployments.md, "Shapes and bounds"). */
const KNOWN_REASONS = [
  'IMPORTED_CHARGE',
  'IMPORTED_CREDIT',
  'ACCOUNT_CHARGE_PAYMENT',
  'FULL_CREDIT_REFUND',
  'GENERAL_CREDIT',
] as const;
const KNOWN_PAYMENT_TYPES = ['DD_REGULAR_COLLECTION', 'DIRECT_CREDIT', 'DEBIT_CARD'] as const;

/** Money in major units; deployments allow ten decimals inside items. */
const itemAmount = () => decimal({ whole: 10, places: 10 });
const quantity = () => decimal({ whole: 12, places: 4 });
const taxFigure = () => decimal({ whole: 15, places: 5 });

/** A charge line of a SUPPLY_CHARGE (interface.md 2.4; required fields and bounds: deployments.md). */
export const lineItem = z.strictObject({
  rate_band: z.optional(text({ known: ['CONSUMPTION_STANDARD'] })),
  start_date: date(),
  end_date: date(),
  number_of_units: quantity(),
  net_amount: itemAmount(),
  price_per_unit: z.optional(decimal({ whole: 8, places: 7 })),
  units: z.optional(z.array(quantity())),
});
export type LineItem = z.infer<typeof lineItem>;

/** A tax of a SUPPLY_CHARGE (interface.md 2.4). */
export const taxItem = z.strictObject({
  amount: itemAmount(),
  tax_type: text({ known: ['VAT'] }),
  value_taxed: taxFigure(),
  rate: taxFigure(),
  unit_type: text({ known: ['PROPORTION', 'CURRENCY_PER_KWH'] }),
});

/** Two decimals at most, because the interface returns two (interface.md 2.4). */
const amount = decimal({ whole: 10, places: 2 });
const positiveAmount = decimal({ whole: 10, places: 2, positive: true });

/**
 * A transaction as it is sent (interface.md 2.4). Every listed field is accepted on every type; a field that the interface does not show
 * for the type is a warning.
 */
export const transaction = z.strictObject({
  transaction_id: text(),
  transaction_date: date(),
  amount,
  type: choice(TRANSACTION_TYPES),
  reason: z.optional(text({ known: KNOWN_REASONS })),
  display_note: z.optional(text({ mayBeEmpty: true })),
  note: z.optional(text({ mayBeEmpty: true })),
  reference: z.optional(text({ mayBeEmpty: true })),
  payment_type: z.optional(text({ known: KNOWN_PAYMENT_TYPES })),
  product_code: z.optional(text()),
  line_items: z.optional(z.array(lineItem)),
  tax_items: z.optional(z.array(taxItem)),
});
export type Transaction = z.infer<typeof transaction>;

const payment = z.extend(transaction, {
  amount: positiveAmount,
  reason: z.optional(text({ known: KNOWN_REASONS, mayBeEmpty: true })),
  payment_type: z.optional(text({ known: KNOWN_PAYMENT_TYPES, mayBeEmpty: true })),
});

/** The schema of each type: which fields are required and what bounds the amount (deployments.md, "Requests"). */
export const transactionOfType = {
  CHARGE: transaction,
  CREDIT: transaction,
  PAYMENT: payment,
  REPAYMENT: payment,
  SUPPLY_CHARGE: z.extend(transaction, {
    product_code: text(),
    line_items: z.array(lineItem).check(z.minLength(1)),
  }),
} as const satisfies Record<TransactionType, z.ZodMiniType>;

/** The fields that interface.md 2.4 shows for each type, beside the four that every type has. */
export const FIELDS_SHOWN_FOR_TYPE: Record<TransactionType, readonly (keyof Transaction)[]> = {
  CHARGE: ['reason', 'display_note', 'note'],
  CREDIT: ['reason', 'display_note', 'note'],
  PAYMENT: ['reason', 'note', 'reference', 'payment_type'],
  REPAYMENT: ['reason', 'note', 'reference', 'payment_type'],
  SUPPLY_CHARGE: ['display_note', 'product_code', 'line_items', 'tax_items'],
};

/** Answer of POST transactions/create: one item per transaction (interface.md 4.3). */
export const transactionsResponse = z.looseObject({
  results: z.array(
    z.looseObject({ status: z.string(), transaction_data: z.looseObject({ transaction_id: z.string() }) }),
  ),
});
