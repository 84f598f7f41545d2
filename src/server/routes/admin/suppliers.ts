import { refusal, Refusal } from '../../http/answer.ts';
import type { Store } from '../../store/store.ts';
import type { Route } from '../route.ts';
import { bodyAs } from './admin-input.ts';
import { supplierChange } from './admin-schemas.ts';

/** GET /_local/suppliers, PUT /_local/suppliers/CODE, GET /_local/vendors: what the operator has set up. */
export function supplierRoutes(store: Store): readonly Route[] {
  return [
    {
      method: 'GET',
      path: '/_local/suppliers',
      access: 'loopback',
      answer: () => ({ status: 200, body: { suppliers: store.suppliers.all() } }),
    },
    {
      method: 'PUT',
      path: '/_local/suppliers/:code',
      access: 'loopback',
      answer: (call) => {
        const { status } = bodyAs(supplierChange, call);
        const { code = '' } = call.segments;
        if (!store.write(() => store.suppliers.setStatus(code, status)))
          throw new Refusal(refusal('supplier_not_found'));
        return { status: 200, body: { code, status } };
      },
    },
    {
      method: 'GET',
      path: '/_local/vendors',
      access: 'loopback',
      answer: () => ({ status: 200, body: { vendors: store.vendors.all() } }),
    },
  ];
}
