import { refusal, Refusal } from '../../http/answer.ts';
import type { Route } from '../route.ts';
import { bodyAs } from './admin-input.ts';
import { supplierChange } from './admin-schemas.ts';
import { adminRoute } from './admin-route.ts';

/** GET /_local/suppliers, PUT /_local/suppliers/CODE, GET /_local/vendors: the setup by the operator. */
export const supplierRoutes: readonly Route[] = [
  adminRoute('GET /_local/suppliers', ({ server: { platform } }) => ({
    suppliers: platform.store.suppliers.all(),
  })),
  adminRoute('PUT /_local/suppliers/:code', (call) => {
    const { store } = call.server.platform;
    const { status } = bodyAs(supplierChange, call);
    const { code = '' } = call.segments;
    if (!store.write(() => store.suppliers.setStatus(code, status)))
      throw new Refusal(refusal('supplier_not_found'));
    return { code, status };
  }),
  adminRoute('GET /_local/vendors', ({ server: { platform } }) => ({
    vendors: platform.store.vendors.all(),
  })),
];
