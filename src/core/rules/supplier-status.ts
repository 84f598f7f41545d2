/** interface.md 3.2. The operator of the service sets the status. */
export const SUPPLIER_STATUSES = ['Ongoing', 'Paused', 'Complete'] as const;
export type SupplierStatus = (typeof SUPPLIER_STATUSES)[number];

/** Whether POSTs for a supplier are accepted. */
export function acceptsMigration(status: SupplierStatus): boolean {
  return status === 'Ongoing';
}
