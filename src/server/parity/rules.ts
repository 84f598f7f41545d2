import { importStatusOf, isPending, takesData } from '../../core/rules/import-status.ts';
import { NOTE_RULES } from '../../core/rules/note-rules.ts';
import { undocumentedValues } from '../../core/rules/open-enum.ts';
import {
  noteIdentity,
  paymentInstructionIdentity,
  statementIdentity,
  transactionIdentity,
} from '../../core/rules/record-identity.ts';
import type { Provenance } from '../../core/rules/rule.ts';
import { isInsideOpenStatement, moveIntoOpenStatement } from '../../core/rules/statement-period.ts';
import { STATEMENT_RULES } from '../../core/rules/statement-rules.ts';
import { acceptsMigration } from '../../core/rules/supplier-status.ts';
import { TRANSACTION_RULES } from '../../core/rules/transaction-rules.ts';
import { accountNamedOnce } from '../routes/envelope.ts';
import { inErrorShape } from '../routes/error-shape.ts';
import { setImportState, takeDueSteps } from '../platform/account-lifecycle.ts';
import { platformAccountNumber } from '../platform/account-number.ts';
import { chargedAlready } from '../platform/charged-periods.ts';
import { judgeOf } from '../platform/closed-enums.ts';
import { isConflictingReplay } from '../platform/conflicting-replay.ts';
import { inFileStore } from '../platform/documents.ts';
import { importProcess, transferStatus } from '../platform/import-processes.ts';
import { addNote } from '../platform/notes.ts';
import { createPaymentInstruction } from '../platform/payment-instructions.ts';
import { askVendor } from '../platform/payment-vendor.ts';
import { hasProduct } from '../platform/product-codes.ts';
import { rateNamedOnce } from '../platform/rate-names.ts';
import {
  missingTransactionIds,
  repeatedStatementIds,
  repeatedTransactionIds,
} from '../platform/repeated-ids.ts';
import { addStatements } from '../platform/statements.ts';
import { addTransaction } from '../platform/transactions.ts';
import { listedPartOf } from '../platform/unlisted-fields.ts';
import { refuseRequest } from '../routes/transactions.ts';

/** Every rule that is a function of its own, from the account over the request to its records. */
const FUNCTIONS: readonly { readonly provenance: Provenance }[] = [
  acceptsMigration,
  takesData,
  importStatusOf,
  isPending,
  transferStatus,
  importProcess,
  platformAccountNumber,
  takeDueSteps,
  setImportState,
  listedPartOf,
  undocumentedValues,
  judgeOf,
  inErrorShape,
  addNote,
  noteIdentity,
  ...NOTE_RULES,
  addTransaction,
  refuseRequest,
  transactionIdentity,
  isConflictingReplay,
  repeatedTransactionIds,
  missingTransactionIds,
  ...TRANSACTION_RULES,
  rateNamedOnce,
  hasProduct,
  chargedAlready,
  isInsideOpenStatement,
  moveIntoOpenStatement,
  addStatements,
  statementIdentity,
  repeatedStatementIds,
  ...STATEMENT_RULES,
  inFileStore,
  createPaymentInstruction,
  paymentInstructionIdentity,
  accountNamedOnce,
  askVendor,
];

/** What these rules say of themselves. */
export const RULES: readonly Provenance[] = FUNCTIONS.map(({ provenance }) => provenance);
