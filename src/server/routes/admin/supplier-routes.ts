import { refusal, Refusal } from '../../http/answer.ts';
import type { Call, Route } from '../route.ts';
import { bodyAs } from './admin-input.ts';
import { supplierChange } from './admin-schemas.ts';

/** GET /_local/suppliers, PUT /_local/suppliers/CODE, GET /_local/vendors: the setup by the operator. */
export const supplierRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/_local/suppliers',
    access: 'loopback',
    answer: ({ tenant: { platform } }) => ({
      status: 200,
      body: { suppliers: platform.store.suppliers.all() },
    }),
  },
  {
    method: 'PUT',
    path: '/_local/suppliers/:code',
    access: 'loopback',
    answer: (call: Call) => {
      const { store } = call.tenant.platform;
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
    answer: ({ tenant: { platform } }) => ({ status: 200, body: { vendors: platform.store.vendors.all() } }),
  },
];
