import type * as z from 'zod/mini';
import { accountImportProcesses, accountTransferStatus } from './account-import.ts';
import { notesRequest, notesResponse } from './note.ts';
import { paymentInstructionRequest, paymentInstructionResponse } from './payment-instruction.ts';
import { statementsRequest, statementsResponse } from './statement.ts';
import { transactionsRequest, transactionsResponse } from './transaction.ts';

/** One endpoint of the interface (interface.md 4.1). */
export interface Endpoint {
  readonly method: 'GET' | 'POST';
  /** Relative to the base URL, with `:name` for a path segment and the trailing slash that the platform insists on. */
  readonly path: string;
  /** The envelope of the request; null for a request without a body. `checkRecord` checks the records in it. */
  readonly request: z.ZodMiniType | null;
  readonly response: z.ZodMiniType;
  /** Statuses that may mean success; the body decides. */
  readonly success: readonly number[];
  /** Boolean query parameters with their defaults (interface.md 4.3). */
  readonly query?: Readonly<Record<string, boolean>>;
}

/**
 * All eight endpoints; each is declared here and nowhere else. The schemas are getters, because a start of `serve` needs only
 * the paths and must not load zod.
 */
export const ENDPOINTS = {
  createNotes: {
    method: 'POST',
    path: '/v1/data-import/notes/create/',
    get request() {
      return notesRequest;
    },
    get response() {
      return notesResponse;
    },
    success: [201],
  },
  createTransactions: {
    method: 'POST',
    path: '/v1/data-import/transactions/create/',
    get request() {
      return transactionsRequest;
    },
    get response() {
      return transactionsResponse;
    },
    success: [201],
    query: { check_previously_added: true, force_add_to_current_statement: true },
  },
  createStatements: {
    method: 'POST',
    path: '/v1/data-import/historical-statements/create/',
    get request() {
      return statementsRequest;
    },
    get response() {
      return statementsResponse;
    },
    success: [201, 200],
  },
  createPaymentInstruction: {
    method: 'POST',
    path: '/v1/data-import/payment-instruction/create/',
    get request() {
      return paymentInstructionRequest;
    },
    get response() {
      return paymentInstructionResponse;
    },
    success: [201],
  },
  accountTransferStatus: {
    method: 'GET',
    path: '/v1/data-import/account-transfer-status/:importSupplier/:externalAccountNumber/',
    request: null,
    get response() {
      return accountTransferStatus;
    },
    success: [200],
  },
  allAccountImportProcesses: list('all'),
  pendingAccountImportProcesses: list('pending'),
  importedAccountImportProcesses: list('imported'),
} as const satisfies Record<string, Endpoint>;

export type EndpointName = keyof typeof ENDPOINTS;

/** The path of an endpoint with its segments filled in and escaped. */
export function pathOf(endpoint: Endpoint, segments: Readonly<Record<string, string>> = {}): string {
  return endpoint.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(segments[name] ?? ''));
}

function list<const Which extends string>(which: Which) {
  return {
    method: 'GET',
    path: `/v1/data-import/${which}-account-import-processes/:importSupplier/`,
    request: null,
    get response() {
      return accountImportProcesses;
    },
    success: [200],
  } as const;
}
