import { accountFields } from '../../../core/contract/account.ts';
import { DESCRIPTORS, RESOURCES, type Resource } from '../../../core/contract/resources.ts';
import { entryOf, isErrorCode, type ErrorCode } from '../../../core/error-codes/table.ts';
import { FIELD_NAME } from '../../../core/operator/contract.ts';
import { pathOfAttr, withoutNonField, type Path } from '../../../core/problem.ts';
import type { DecodedError } from '../../../core/validation-error.ts';
import { exactJson, parseExactJson } from '../../../core/values/exact-json.ts';
import { childOf, isJsonObject, plainJson, type JsonObject } from '../../../core/values/plain-json.ts';
import { fieldOfName } from '../../mapping/language/fields.ts';
import { differencesOf, namesAnotherAccount, type Fields } from './success-answer.ts';
import { isKnownText } from './platform-words.ts';
import type { PlatformAnswer } from '../ports/platform.ts';
import type { Batch, BatchRecord } from '../ports/run.ts';

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

/** Statuses of a refusal that the interface has (deployments.md, "Framework behaviour"). */
const STATUSES: ReadonlySet<number> = new Set([400, 401, 403, 404, 405, 415]);

/** Who refused a batch with a status that is not sent again. `error`: the decoded body. */
export function refusalSourceOf(
  resource: Resource,
  batch: Batch,
  { status, headers, body, unreadable }: Extract<PlatformAnswer, { kind: 'answer' }>,
  error: DecodedError,
): RefusalSource {
  if (unreadable !== undefined) return 'elsewhere';
  const type = headers['content-type'];
  if (type !== undefined && !/^application\/json\s*(?:;|$)/i.test(type.trim())) return 'elsewhere';
  const json = plainJson(body);
  if (json === undefined) return type !== undefined || /^\s*[{[]/.test(body) ? 'cut' : 'elsewhere';
  if (!isJsonObject(json)) return 'elsewhere';
  if (!STATUSES.has(status) || !haveFittingCodes(status, json, error)) return 'elsewhere';
  if (!isOfPlatform(resource, batch, { status, json }, error)) return 'elsewhere';
  // In a nested body the names of the account have texts of errors.
  const parts = error.shape === 'nested' ? [] : [json, failedRecordIn(resource, body)];
  if (parts.some((part) => part !== undefined && namesAnotherAccount(batch.account, part)))
    return 'another_account';
  return isAboutAnotherRecord(resource, batch, body, error) ? 'another_record' : 'platform';
}

/** Whether a body has a shape of the interface with its own names and codes (deployments.md, "Responses"). */
function isOfPlatform(
  resource: Resource,
  batch: Batch,
  { status, json }: { status: number; json: JsonObject },
  { shape, problems }: DecodedError,
): boolean {
  switch (shape) {
    case 'documented': {
      const errors = (json['errors'] as readonly unknown[]).filter(isJsonObject);
      return (
        errors.some(isErrorObject) &&
        errors.every(({ attr = null, code }) => attr === null || leadsSomewhere(resource, batch, attr, code))
      );
    }
    case 'detail':
      return isPlainRefusal(resource, status, json);
    case 'non_field':
      return status === 400;
    case 'nested':
      // A dictionary that mirrors no request, such as `{"message": "Forbidden"}`, comes from a gateway.
      return (
        status === 400 &&
        // The texts of a field are a list, and so are those of a record.
        Object.values(json).every((value) => typeof value === 'object') &&
        // The platform may know more fields of a record than the interface, so their first name decides.
        problems.some(({ path, code }) => leadsTo(resource, batch, path.slice(0, 1), code) !== null)
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
function isErrorObject({ detail, code, attr }: JsonObject): boolean {
  if (typeof detail !== 'string' || typeof code !== 'string') return false;
  return typeof attr === 'string' || (attr === null && isPlatformCode(code));
}

/**
 * `{detail}`, `{detail, code}` or `{code, detail, domain}`. A 400 has a code or a domain. Without a code the words have to be
 * known or name the account, because `{"detail": "Not Found"}` is what many gateways answer, and a 404 is about a whole account.
 */
function isPlainRefusal(resource: Resource, status: number, json: JsonObject): boolean {
  // A platform may add an empty list of errors to a refusal that is about no field.
  if (Object.keys(json).some((key) => !PLAIN_KEYS.has(key) && (key !== 'errors' || status === 400)))
    return false;
  const { code, domain, detail } = json;
  if (isPlatformCode(code)) return true;
  if (typeof domain === 'string') return typeof code === 'string';
  if (status === 400 || code !== undefined || typeof detail !== 'string') return false;
  return isKnownText(resource, detail) || (status === 404 && /account/i.test(detail));
}

const PLAIN_KEYS: ReadonlySet<string> = new Set(['detail', 'code', 'domain']);

/** The fourth shape of deployments.md, "Responses": a failed transaction or payment instruction. */
function isFailedRecord(resource: Resource, json: JsonObject): boolean {
  if (typeof json['error_detail'] !== 'string') return false;
  const { answer, list } = DESCRIPTORS[resource];
  const statuses: Readonly<Record<string, unknown>> | null = answer.statuses;
  return statuses === null ? list === null : statuses[String(json['status'])] === 'rejected';
}

/** Whether every code in a body fits the status. Around a code with another status of its own there is the code of any validation. */
function haveFittingCodes(status: number, { code }: JsonObject, { problems }: DecodedError): boolean {
  const codes = problems.map((problem) => problem.code).filter((each) => each !== null);
  const around = codes.some((each) => OTHER_STATUS.get(each) === status) ? 400 : status;
  return (
    codes.every((each) => fitsStatus(each, status)) &&
    (typeof code !== 'string' || fitsStatus(code, status) || fitsStatus(code, around))
  );
}

/**
 * Whether a platform answers with a code and this status. A code of an operator is one of validation (interface.md 7.1), and so is a
 * missing account in an answer that names fields. Another status contradicts the code, so nothing is known.
 */
function fitsStatus(code: string, status: number): boolean {
  const own = isErrorCode(code) ? entryOf(code).status : null;
  return status === (own ?? 400) || status === OTHER_STATUS.get(code);
}

/** Another status that comes with a code. */
const OTHER_STATUS: ReadonlyMap<string, number> = new Map<ErrorCode, number>([
  // In an answer that names fields.
  ['account_not_found', 400],
  // The interface leaves open with which status a supplier that is not ongoing is refused (3.2).
  ['import_supplier_migration_not_ongoing', 403],
]);

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
    ({ path, code, reference }) =>
      (reference !== undefined && !batch.records.some(({ id }) => id === reference)) ||
      leadsTo(resource, batch, path, code) === 'another_record',
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

const LISTS: ReadonlySet<string | number | null> = new Set(RESOURCES.map((each) => DESCRIPTORS[each].list));

/** The names beside the records: the account, and the parameters of the query. */
function namesBeside(resource: Resource): readonly (string | number)[] {
  return [...Object.keys(accountFields), ...Object.keys(DESCRIPTORS[resource].endpoint.query ?? {})];
}

/** Whether `attr` leads into a request (interface.md 7.1), which may be another one. */
function leadsSomewhere(resource: Resource, batch: Batch, attr: unknown, code: unknown): boolean {
  if (typeof attr !== 'string' || attr === '') return false;
  return leadsTo(resource, batch, withoutNonField(pathOfAttr(attr)), code) !== null;
}

/**
 * Where a path leads: to a field, item or object of the request, or to a record behind the last one or the list of another resource. Null
 * when it leads to nothing. A field may be missing in the record if the interface has it, or if the error says that it is required.
 */
function leadsTo(
  resource: Resource,
  { records }: Batch,
  path: Path,
  code: unknown,
): 'request' | 'another_record' | null {
  const { list } = DESCRIPTORS[resource];
  const [first, index, ...inner] = path;
  if (first === undefined || (path.length === 1 && namesBeside(resource).includes(first))) return 'request';
  if (list === null && leadsIntoRecord(resource, records[0]!, { path, code })) return 'request';
  if (first !== list) return LISTS.has(first) ? 'another_record' : null;
  if (index === undefined) return 'request';
  if (typeof index !== 'number') return null;
  const record = records[index];
  if (record === undefined) return 'another_record';
  return leadsIntoRecord(resource, record, { path: inner, code }) ? 'request' : null;
}

function leadsIntoRecord(
  resource: Resource,
  { payload }: BatchRecord,
  { path, code }: { path: Path; code: unknown },
): boolean {
  const [around, last] = [path.slice(0, -1), path.at(-1)];
  const object = around.reduce<unknown>(childOf, plainJson(payload));
  if (last === undefined || childOf(object, last) !== undefined) return true;
  if (!isJsonObject(object) || typeof last !== 'string' || !FIELD_NAME.test(last)) return false;
  return code === ('required' satisfies ErrorCode) || fieldOfName(resource, path.join('.')) !== undefined;
}
