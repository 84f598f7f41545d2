import { accountFields } from '../../../core/contract/account.ts';
import { DESCRIPTORS, RESOURCES, type Resource } from '../../../core/contract/resources.ts';
import { entryOf, isErrorCode } from '../../../core/error-codes/table.ts';
import { NON_FIELD, pathOfAttr, type Path } from '../../../core/problem.ts';
import type { DecodedError } from '../../../core/validation-error.ts';
import { parseExactJson } from '../../../core/values/exact-json.ts';
import { isJsonObject, plainJson, type JsonObject } from '../../../core/values/plain-json.ts';
import { differencesOf, namesAnotherAccount, type Fields } from './echo.ts';
import { isKnownText } from './platform-words.ts';
import type { PlatformAnswer } from '../ports/platform.ts';
import type { Batch } from '../ports/run.ts';

/**
 * Who refused a request, as far as the answer proves it.
 *
 *     platform         status, content type, shape and codes are those of the interface, about this request
 *     another_account  a refusal of the platform that names another account
 *     another_record   a refusal of the platform that names a record that was not sent
 *     cut              JSON that ends early
 *     elsewhere        a proxy or a gateway, which may have passed the request on
 */
export type RefusalSource = 'platform' | 'another_account' | 'another_record' | 'cut' | 'elsewhere';

/** Statuses of a refusal that the interface has (deployments.md, "Framework behaviour"). Another one needs a code of the table. */
const STATUSES: ReadonlySet<number> = new Set([400, 401, 403, 404, 405, 415]);

/** Who refused a batch with a status that is not sent again. `error`: the decoded body. */
export function refusalSourceOf(
  resource: Resource,
  batch: Batch,
  { status, headers, body }: Extract<PlatformAnswer, { kind: 'answer' }>,
  error: DecodedError,
): RefusalSource {
  const type = headers['content-type'];
  if (type !== undefined && !/^application\/json\s*(?:;|$)/i.test(type.trim())) return 'elsewhere';
  const json = plainJson(body);
  if (json === undefined) return type !== undefined || /^\s*[{[]/.test(body) ? 'cut' : 'elsewhere';
  if (!isJsonObject(json)) return 'elsewhere';
  if (!STATUSES.has(status) && !hasKnownCode(json)) return 'elsewhere';
  if (!isOfPlatform(resource, { status, json }, error)) return 'elsewhere';
  // In a nested body the names of the account have texts of errors.
  const parts = error.shape === 'nested' ? [] : [json, failedRecordIn(resource, body)];
  if (parts.some((part) => part !== undefined && namesAnotherAccount(batch.account, part)))
    return 'another_account';
  return isAboutAnotherRecord(resource, batch, body, error) ? 'another_record' : 'platform';
}

/** Whether a body has a shape of the interface with its own names and codes (deployments.md, "Responses"). */
function isOfPlatform(
  resource: Resource,
  { status, json }: { status: number; json: JsonObject },
  { shape, problems }: DecodedError,
): boolean {
  switch (shape) {
    case 'documented':
      return (json['errors'] as readonly unknown[]).some((each) => isErrorObject(resource, each));
    case 'detail':
      return isPlainRefusal(resource, status, json);
    case 'non_field':
      return status === 400;
    case 'nested':
      // A dictionary that mirrors no request, such as `{"message": "Forbidden"}`, comes from a gateway.
      return (
        status === 400 && problems.some(({ path }) => path.length === 0 || leadsIntoRequest(resource, path))
      );
    case 'transaction':
    case 'payment_instruction':
      return status === 400 && isFailedRecord(resource, json);
    case 'unknown':
      return false;
    default:
      return shape satisfies never;
  }
}

/** An error object of interface.md 7.1: all three keys, with a code of the table or an input of the request. */
function isErrorObject(resource: Resource, error: unknown): boolean {
  if (!isJsonObject(error) || typeof error['detail'] !== 'string' || !('attr' in error)) return false;
  const { code, attr } = error;
  if (isPlatformCode(code)) return attr === null || typeof attr === 'string';
  if (typeof attr !== 'string') return false;
  const path = pathOfAttr(attr);
  return path.at(-1) === NON_FIELD || leadsIntoRequest(resource, path);
}

/**
 * `{detail}`, `{detail, code}` or `{code, detail, domain}`. A 400 has a code or a domain. Without a code the words have to be
 * known, because `{"detail": "Not Found"}` is what many gateways answer, and a 404 is about a whole account.
 */
function isPlainRefusal(resource: Resource, status: number, json: JsonObject): boolean {
  if (Object.keys(json).some((key) => !PLAIN_KEYS.has(key))) return false;
  const { code, domain, detail } = json;
  if (isPlatformCode(code)) return true;
  if (typeof domain === 'string') return typeof code === 'string';
  return status !== 400 && code === undefined && typeof detail === 'string' && isKnownText(resource, detail);
}

const PLAIN_KEYS: ReadonlySet<string> = new Set(['detail', 'code', 'domain']);

/** The fourth shape of deployments.md, "Responses": a failed transaction or payment instruction. */
function isFailedRecord(resource: Resource, json: JsonObject): boolean {
  if (typeof json['error_detail'] !== 'string') return false;
  const { answer, list } = DESCRIPTORS[resource];
  const statuses: Readonly<Record<string, unknown>> | null = answer.statuses;
  return statuses === null ? list === null : statuses[String(json['status'])] === 'rejected';
}

/** Whether a body names a code of the table. */
function hasKnownCode(json: JsonObject): boolean {
  const errors: readonly unknown[] = Array.isArray(json['errors']) ? json['errors'] : [];
  return [json, ...errors].some((each) => isJsonObject(each) && isPlatformCode(each['code']));
}

/** Whether a text is a code that the platform answers with. */
function isPlatformCode(code: unknown): boolean {
  return typeof code === 'string' && isErrorCode(code) && entryOf(code).status !== null;
}

/** Whether a refusal in the form of the platform is about a record that was not sent. */
function isAboutAnotherRecord(
  resource: Resource,
  batch: Batch,
  body: string,
  { shape, problems }: DecodedError,
): boolean {
  if (shape === 'transaction') return !repeatsRecord(resource, batch, body);
  return problems.some(
    ({ path, reference }) =>
      (reference !== undefined && !batch.records.some(({ id }) => id === reference)) ||
      isBesideRequest(resource, batch, path),
  );
}

/** Whether the transaction of a refusal is one that was sent, as far as the refusal repeats it. */
function repeatsRecord(resource: Resource, { records }: Batch, body: string): boolean {
  const { idField } = DESCRIPTORS[resource];
  const data = failedRecordIn(resource, body);
  if (data === undefined) return false;
  const id = idField === null ? undefined : data[idField];
  if (typeof id !== 'string') return true;
  const sent = records.find((record) => record.id === id);
  if (sent === undefined) return false;
  const both = { sent: parseExactJson(sent.payload) as Fields, answered: data };
  return differencesOf(resource, both).length === 0;
}

/** The record that a refusal repeats; undefined when it repeats none. */
function failedRecordIn(resource: Resource, body: string): Fields | undefined {
  const { record } = DESCRIPTORS[resource].answer;
  const found = record === null ? undefined : (exactJson(body) as Fields | undefined)?.[record];
  return isJsonObject(found) ? found : undefined;
}

/** Undefined for a key that occurs twice, because nobody knows which one counts. */
function exactJson(text: string): unknown {
  try {
    return parseExactJson(text);
  } catch {
    return undefined;
  }
}

/** Whether a path leads to a record behind the last one, or into the list of another resource. */
function isBesideRequest(resource: Resource, { records }: Batch, [first, index]: Path): boolean {
  const { list } = DESCRIPTORS[resource];
  if (typeof index !== 'number') return false;
  if (first === list) return index >= records.length;
  return RESOURCES.some((other) => DESCRIPTORS[other].list === first);
}

/** Whether a path begins with a name beside or around the records of a request, or with the list of another resource. */
function leadsIntoRequest(resource: Resource, [first]: Path): boolean {
  return first !== undefined && (namesInRequest(resource).has(first) || LISTS.has(first));
}

const LISTS: ReadonlySet<string | number | null> = new Set(RESOURCES.map((each) => DESCRIPTORS[each].list));

function namesInRequest(resource: Resource): ReadonlySet<string | number> {
  const { endpoint, list, schema } = DESCRIPTORS[resource];
  const ofRecords = list === null ? Object.keys(schema.shape) : [list];
  return new Set([...Object.keys(accountFields), ...ofRecords, ...Object.keys(endpoint.query ?? {})]);
}
