import type { PlatformAnswer, PlatformRequest } from '../../src/cli/push/ports/platform.ts';
import { DESCRIPTORS, type Resource } from '../../src/core/contract/resources.ts';
import { FakePlatform } from './fake-platform.ts';
import { answer } from './push-batch.ts';

type Json = Readonly<Record<string, unknown>>;

/** A platform that refuses requests with records of these ids, until their cause is removed. It keeps nothing of such a request. */
export class RefusingPlatform extends FakePlatform {
  readonly refused: Set<string>;
  private readonly kind: Resource;

  constructor(resource: Resource, refused: Iterable<string>) {
    super(resource);
    this.kind = resource;
    this.refused = new Set(refused);
  }

  override async send(request: PlatformRequest): Promise<PlatformAnswer> {
    const { list, idField } = DESCRIPTORS[this.kind];
    const body = JSON.parse(request.body!) as Json;
    const records = list === null ? [body] : (body[list] as readonly Json[]);
    const at = records.findIndex((record) => this.refused.has(String(record[idField ?? 'body'])));
    if (at < 0) return super.send(request);
    const { external_account_number: account } = body as { readonly external_account_number: string };
    this.received.push({ account, path: request.path, body: request.body! });
    if (list === null) return answer(400, { error_detail: 'No.', ...body });
    const errors = [{ detail: 'No.', code: 'invalid', attr: `${list}.${at}.type` }];
    return answer(400, { detail: 'x', code: 'validation_error', errors });
  }
}
