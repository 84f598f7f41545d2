import * as z from 'zod/mini';

/** States of an account import: three of the interface (3.1), two of a deployment (deployments.md, "Responses"). A client accepts others, too. */
export const IMPORT_STATUSES = ['UNKNOWN', 'IN_PROGRESS', 'COMPLETED', 'PENDING', 'REJECTED'] as const;
export type ImportStatus = (typeof IMPORT_STATUSES)[number];

/** What a deployment says of an account that exists by a status for its switch of supply (deployments.md, "Responses"). */
export const switchOfSupply = (status: string): string =>
  `exists, and its switch of supply is ${status === 'REJECTED' ? 'refused' : 'open'}`;

/**
 * Answer of GET account-transfer-status (interface.md 4.6). The number is empty while there is no account. A deployment may
 * leave it out or give null, because only the status is certain (deployments.md, "Responses").
 */
export const accountTransferStatus = z.looseObject({
  status: z.string(),
  platform_account_number: z.nullish(z.string()),
});
export type AccountTransferStatus = z.infer<typeof accountTransferStatus>;

/**
 * One item of the three lists (interface.md 2.7). Both nullable fields are null while the import is pending. Only the external
 * account number is certain (deployments.md, "What an operator's own description contains").
 */
export const accountImportProcess = z.looseObject({
  external_account_number: z.string(),
  platform_account_number: z.nullish(z.string()),
  account_created_at: z.nullish(z.string()),
});
export type AccountImportProcess = z.infer<typeof accountImportProcess>;

/** Answer of the three lists (interface.md 4.7 to 4.9). */
export const accountImportProcesses = z.array(accountImportProcess);
