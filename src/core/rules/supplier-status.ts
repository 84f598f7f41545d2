import { rule } from './rule.ts';

/** interface.md 3.2; set by the operator of the service. */
export const SUPPLIER_STATUSES = ['Ongoing', 'Paused', 'Complete'] as const;
export type SupplierStatus = (typeof SUPPLIER_STATUSES)[number];

export const acceptsMigration = rule(
  {
    name: 'supplier-accepts-migration',
    authority: 'documented',
    source: 'interface.md 3.2; code: deployments.md',
    says: 'Only a supplier that is Ongoing takes POSTs; Paused and Complete answer with an error.',
    tested: 'server/routes/suppliers › 3.2: $endpoint answers 400 while the supplier is Paused or Complete',
    codes: ['import_supplier_migration_not_ongoing'],
  },
  (status: SupplierStatus): boolean => status === 'Ongoing',
);
