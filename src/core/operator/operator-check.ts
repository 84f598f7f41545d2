import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { accountFields } from '../contract/account.ts';
import type { CheckFailure } from '../contract/field.ts';
import type { ErrorCode } from '../error-codes/table.ts';
import { failure, NON_FIELD, type Path, type Problem } from '../problem.ts';
import { isCalendarDate } from '../values/calendar-date.ts';
import { Decimal } from '../values/decimal.ts';
import { UnreadableNumber } from '../values/exact-json.ts';
import { parseInstant } from '../values/instant.ts';
import { Pattern } from '../values/pattern.ts';
import { isJsonObject, type JsonObject } from '../values/plain-json.ts';
import type { OperatorContract } from './contract.ts';
import { listed } from './keywords.ts';
import { isNull, membersOf, pathOfPointer, type Located } from './located.ts';

/** The problems of a value that has to meet the schemas at several pointers into the document of the operator. */
export type OperatorCheck = (schemas: readonly string[], value: unknown) => readonly Problem[];

/**
 * A check by the schemas of an operator. They are compiled on first use, each once.
 * @throws Error when a schema is none
 */
export function operatorCheck({
  schemas,
  document: { title },
}: {
  schemas: OperatorContract['schemas'];
  document: { title: string };
}): OperatorCheck {
  const validators = new Map<string, ValidateFunction>();
  let ajv: Ajv2020 | undefined;
  return (pointers, value) => {
    if (pointers.length === 0) return [];
    const key = pointers.join(' ');
    let validate = validators.get(key);
    if (!validate) {
      ajv ??= validatorOf(schemas);
      validate = ajv.compile({ allOf: pointers.map((pointer) => ({ $ref: `${ID}#${encoded(pointer)}` })) });
      validators.set(key, validate);
    }
    const isMet = validate(asSent(value));
    return isMet ? [] : problemsOf(validate.errors!, title);
  };
}

const ID = 'operator';

/** A value as it is sent: a decimal is a text, or a number that floats keep. */
function asSent(value: unknown): unknown {
  if (value instanceof Decimal) return value.isText ? value.text : (JSON.parse(value.text) as number);
  if (value instanceof UnreadableNumber) return JSON.parse(value.text) as number;
  if (Array.isArray(value)) return value.map(asSent);
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(members.map(([name, member]) => [name, asSent(member)]));
}

const encoded = (pointer: string): string => pointer.split('/').map(encodeURIComponent).join('/');

function validatorOf(schemas: OperatorContract['schemas']): Ajv2020 {
  const ajv = new Ajv2020({
    strict: false,
    allErrors: true,
    verbose: true,
    logger: false,
    inlineRefs: false,
    meta: false,
    validateSchema: false,
    code: { regExp: Object.assign(patternOf, { code: 'pattern' }) },
  });
  for (const [name, format] of Object.entries(FORMATS)) ajv.addFormat(name, format);
  ajv.removeKeyword('multipleOf');
  // Floats cannot say whether 9999999999 is a multiple of 0.00001.
  ajv.addKeyword({
    keyword: 'multipleOf',
    type: 'number',
    errors: false,
    validate: (step: number, value: number) => isMultiple(value, step),
  });
  return ajv.addSchema(inAjv({ value: schemas, path: [] }, schemas) as object, ID);
}

/** A pattern runs on RE2. Two of them are the same pattern when they have the same text. */
function patternOf(source: string): { test: (text: string) => boolean; toString: () => string } {
  const pattern = new Pattern(source);
  return { test: (text) => pattern.test(text), toString: () => source };
}

/** The formats that are checked, and those that say no more than the type. */
export const FORMATS: Readonly<
  Record<
    string,
    true | RegExp | ((text: string) => boolean) | { type: 'number'; validate: (value: number) => boolean }
  >
> = {
  date: isCalendarDate,
  'date-time': (text) => parseInstant(text) !== undefined,
  uuid: /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i,
  int32: { type: 'number', validate: (value) => value >= -(2 ** 31) && value < 2 ** 31 },
  int64: { type: 'number', validate: (value) => value >= -(2 ** 63) && value < 2 ** 63 },
  decimal: true,
  float: true,
  double: true,
  password: true,
};

/** A number of JSON as a decimal; undefined for any other value. */
function decimalOf(value: unknown): Decimal | undefined {
  if (typeof value !== 'number' || !Number.isFinite(value)) return undefined;
  const plain = Decimal.parse(String(value));
  if (plain) return plain;
  return Decimal.parse(
    Math.abs(value) < 1 ? value.toFixed(20).replace(/0+$/, '') : BigInt(Math.trunc(value)).toString(),
  );
}

function isMultiple(value: number, step: number): boolean {
  const [a, b] = [decimalOf(value), decimalOf(step)];
  if (!a || !b) return false;
  const places = Math.max(a.places, b.places);
  const units = ({ text, places: own }: Decimal): bigint =>
    BigInt(text.replace('.', '') + '0'.repeat(places - own));
  return units(a) % units(b) === 0n;
}

/** The schemas of a contract as ajv reads them: types by a field, and one schema beside null, are conditions with errors of their own. */
function inAjv(located: Located, root: unknown): unknown {
  const { value } = located;
  if (Array.isArray(value)) return membersOf(located).map((item) => inAjv(item, root));
  if (!isJsonObject(value)) return value;
  const own: Record<string, unknown> = Object.fromEntries(
    membersOf(located).map((member) => [member.key, inAjv(member, root)]),
  );
  const all: unknown[] = [];
  for (const name of ['oneOf', 'anyOf']) {
    if (!Array.isArray(value[name])) continue;
    const branches = membersOf({ value: value[name], path: [...located.path, name] });
    const some = branches.filter((branch) => !isNull(branch, root));
    if (some.length !== 1) continue;
    const branch = (own[name] as readonly unknown[])[branches.indexOf(some[0]!)];
    all.push(branches.length > 1 ? { if: { type: 'null' }, else: branch } : branch);
    delete own[name];
  }
  if (isJsonObject(own['x-types'])) {
    const { by, of, bare } = own['x-types'] as { by: string; of: JsonObject; bare?: true };
    all.push({ required: [by], properties: { [by]: { enum: Object.keys(of) } } });
    for (const [type, schema] of bare ? [] : Object.entries(of))
      all.push({ if: { properties: { [by]: { not: { const: type } } } }, else: schema });
  }
  return all.length === 0 ? own : { ...own, allOf: [...((own['allOf'] ?? []) as unknown[]), ...all] };
}

/** One problem for each place. The branches of schemas that nobody can tell apart are named together. */
function problemsOf(errors: readonly ErrorObject[], title: string): readonly Problem[] {
  const branched = errors.filter(isBranched).map(({ instancePath }) => instancePath);
  const told = errors.filter(
    (error) =>
      error.keyword !== 'if' &&
      !(error.instancePath === '' && Object.hasOwn(accountFields, String(error.params['missingProperty']))) &&
      (isBranched(error) || !branched.some((path) => `${error.instancePath}/`.startsWith(`${path}/`))),
  );
  const problems = new Map<string, Problem>();
  for (const error of told) {
    const problem = problemOf(error, title);
    const key = JSON.stringify(problem.path);
    if (!problems.has(key)) problems.set(key, problem);
  }
  return [...problems.values()];
}

const isBranched = ({ keyword }: ErrorObject): boolean => keyword === 'oneOf' || keyword === 'anyOf';

function problemOf(error: ErrorObject, title: string): Problem {
  const { instancePath, keyword, params, data } = error;
  const path = pathOf(instancePath);
  if (keyword === 'required') return failure('required', [...path, String(params['missingProperty'])]);
  const further = params['additionalProperty'] ?? params['unevaluatedProperty'];
  if (further !== undefined)
    return failure('unexpected_field', [...path, String(further)], { of: `${title}'s contract` });
  if (data === null) return failure('null', path);
  const { code, facts } = failureOf(error);
  return failure(code, code === 'invalid' && isJsonObject(data) ? [...path, NON_FIELD] : path, facts);
}

/** Keywords with a limit: the code, and what is counted. */
const LIMITED: Readonly<Record<string, readonly [ErrorCode, string]>> = {
  minLength: ['min_length', ' characters'],
  maxLength: ['max_length', ' characters'],
  minItems: ['min_length', ' items'],
  maxItems: ['max_length', ' items'],
  minimum: ['min_value', ''],
  maximum: ['max_value', ''],
};

/** What is expected instead, before the value of the keyword. */
const EXPECTED: Readonly<Record<string, string>> = {
  exclusiveMinimum: 'greater than',
  exclusiveMaximum: 'less than',
  multipleOf: 'a multiple of',
  pattern: 'a text that matches',
  format: 'of the format',
  type: 'of the type',
};

function failureOf({ keyword, schema, data }: ErrorObject): CheckFailure {
  const [code, unit] = LIMITED[keyword] ?? [];
  if (keyword === 'enum' || keyword === 'const') {
    const values = [schema].flat().filter((value) => value !== null);
    return { code: 'invalid_choice', facts: { known: listed(values.map(String), 12) } };
  }
  if (keyword === 'minLength' && data === '') return { code: 'blank' };
  if (keyword === 'minItems' && (data as unknown[]).length === 0) return { code: 'empty' };
  if (keyword === 'type' && schema === 'array') return { code: 'not_a_list' };
  if (code) return { code, facts: { limit: `${String(schema)}${unit}` } };
  const words = EXPECTED[keyword];
  const expected = words
    ? `${words} ${[schema].flat().join(' or ')}`
    : `what the operator's schema takes (\`${keyword}\`)`;
  return { code: 'invalid', facts: { expected } };
}

function pathOf(pointer: string): Path {
  return pathOfPointer(pointer, undefined).map((part) =>
    /^\d+$/.test(String(part)) ? Number.parseInt(String(part), 10) : part,
  );
}
