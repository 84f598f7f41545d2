/** interface.md 3.2. The operator of the service sets the status. POSTs are accepted while it is `Ongoing`. */
export const SUPPLIER_STATUSES = ['Ongoing', 'Paused', 'Complete'] as const;
export type SupplierStatus = (typeof SUPPLIER_STATUSES)[number];
