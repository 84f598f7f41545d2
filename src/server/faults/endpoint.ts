import { ENDPOINTS } from '../../core/contract/endpoints.ts';
import { DEFAULT_TOKEN_MUTATION } from '../../core/contract/token.ts';
import type { FaultEndpoint } from './rule.ts';

/** The name that rules have for a path of the interface. */
const NAMES: Readonly<Record<string, FaultEndpoint>> = {
  [DEFAULT_TOKEN_MUTATION.path]: 'token',
  [ENDPOINTS.createNotes.path]: 'notes',
  [ENDPOINTS.createTransactions.path]: 'transactions',
  [ENDPOINTS.createStatements.path]: 'statements',
  [ENDPOINTS.createPaymentInstruction.path]: 'payment-instructions',
  [ENDPOINTS.accountTransferStatus.path]: 'status',
  [ENDPOINTS.allAccountImportProcesses.path]: 'lists',
  [ENDPOINTS.pendingAccountImportProcesses.path]: 'lists',
  [ENDPOINTS.importedAccountImportProcesses.path]: 'lists',
};

/** Undefined for the admin API, which has no faults: it is how they are told and ended. */
export function endpointOfPath(path: string): FaultEndpoint | undefined {
  return NAMES[path];
}
