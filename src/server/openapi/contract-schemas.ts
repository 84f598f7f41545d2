import * as z from 'zod/mini';
import { accountFields } from '../../core/contract/account.ts';
import { IMPORT_STATUSES } from '../../core/contract/account-import.ts';
import { datetime } from '../../core/contract/field.ts';
import { note, NOTE_RESULT_STATUSES, notesRequest } from '../../core/contract/note.ts';
import { paymentInstruction } from '../../core/contract/payment-instruction.ts';
import { statement, statementsRequest } from '../../core/contract/statement.ts';
import {
  lineItem,
  taxItem,
  TRANSACTION_RESULT_STATUSES,
  TRANSACTION_TYPES,
  transactionOfType,
  transactionsRequest,
  type TransactionType,
} from '../../core/contract/transaction.ts';
import { described } from '../../core/schema.ts';
import { jsonSchemasOf, type JsonSchema } from './json-schema.ts';

/** The path of the schemas in the document. */
export const SCHEMA_POINTER = '#/components/schemas/';

/** The schemas of all bodies with data, by name. They are made from the schemas of the contract. */
export function contractSchemas(): Readonly<Record<string, JsonSchema>> {
  const ofType: Readonly<Record<string, z.ZodMiniType>> = Object.fromEntries(
    TRANSACTION_TYPES.map((type) => [
      typeName(type),
      z.extend(transactionOfType[type], { type: z.literal(type) }),
    ]),
  );
  const anyTransaction = z.union(Object.values(ofType));
  const schemas = jsonSchemasOf(
    {
      Note: note,
      LineItem: lineItem,
      TaxItem: taxItem,
      ...ofType,
      Statement: statement,
      NotesRequest: z.extend(notesRequest, { notes: z.array(note).check(z.minLength(1)) }),
      TransactionsRequest: z.extend(transactionsRequest, {
        transactions: z.array(anyTransaction).check(z.minLength(1)),
      }),
      StatementsRequest: z.extend(statementsRequest, {
        statements: z.array(statement).check(z.minLength(1)),
      }),
      PaymentInstructionRequest: z.strictObject({ ...accountFields, ...paymentInstruction.shape }),
      ...answers(),
    },
    (name) => SCHEMA_POINTER + name,
  );
  return {
    ...schemas,
    Note: {
      ...schemas['Note'],
      anyOf: [
        { required: ['body'], properties: { body: { type: 'string', minLength: 1 } } },
        { required: ['document_paths'], properties: { document_paths: { type: 'array', minItems: 1 } } },
      ],
    },
  };
}

/** The transaction as it was sent, with the amount as text of two decimals (interface.md 2.4). */
function answeredTransaction(type: TransactionType) {
  return z.extend(transactionOfType[type], {
    type: z.literal(type),
    amount: z.string().check(z.regex(/^-?\d+\.\d{2}$/)),
    status: z.optional(z.literal('TRANSACTION_IMPORT_SUCCESS')),
  });
}

/** `SupplyCharge` for `SUPPLY_CHARGE`. */
function typeName(type: TransactionType): string {
  return type.toLowerCase().replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/**
 * The answers of this platform, to the letter. The schemas with which the client reads answers (core/contract) are wider,
 * because the interface may grow. A test checks that those accept these answers.
 */
const answers = () => ({
  NotesAnswer: z.array(
    z.strictObject({ created_at: datetime(), body: z.string(), status: z.enum(NOTE_RESULT_STATUSES) }),
  ),
  TransactionsAnswer: z.strictObject({
    results: z.array(
      z.strictObject({
        status: z.enum(TRANSACTION_RESULT_STATUSES),
        transaction_data: z.union(TRANSACTION_TYPES.map(answeredTransaction)),
      }),
    ),
  }),
  StatementsAnswer: z.strictObject({
    ...accountFields,
    statements: z.array(statement).check(z.minLength(1)),
  }),
  PaymentInstructionAnswer: z.strictObject({
    platform_account_number: z.string().check(z.minLength(1)),
    reference: paymentInstruction.shape.reference,
  }),
  AccountTransferStatus: z.strictObject({
    status: z.enum(IMPORT_STATUSES),
    platform_account_number: described(z.string(), 'Empty while no account was created.'),
  }),
  AccountImportProcesses: z.array(
    z.strictObject({
      external_account_number: accountFields.external_account_number,
      platform_account_number: z.nullable(z.string().check(z.minLength(1))),
      account_created_at: z.nullable(datetime()),
    }),
  ),
});
