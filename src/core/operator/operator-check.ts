import { Ajv2020, type ErrorObject, type Format, type ValidateFunction } from 'ajv/dist/2020.js';
import { AppError } from '../app-error.ts';
import { accountFields } from '../contract/account.ts';
import type { CheckFailure } from '../contract/field.ts';
import type { ErrorCode } from '../error-codes/table.ts';
import { failure, NON_FIELD, type Path, type Problem } from '../problem.ts';
import { isCalendarDate } from '../values/calendar-date.ts';
import { isMultiple } from '../values/decimal.ts';
import { parseInstant } from '../values/instant.ts';
import { Pattern } from '../values/pattern.ts';
import { childOf, isJsonObject } from '../values/plain-json.ts';
import type { OperatorContract } from './contract.ts';

/**
 * Makes checks by the schemas at pointers into the document of an operator.
 * @throws AppError `document_invalid` when a schema is none, as in a contract that somebody edited
 */
export function operatorChecks({
  schemas,
  document: { title },
}: Pick<OperatorContract, 'schemas' | 'document'>) {
  const ajv = validatorOf(schemas);
  return (...pointers: readonly string[]) => {
    const validate = compiledBy(ajv, pointers);
    return (value: unknown): readonly Problem[] => {
      const sent = asSent(value);
      return validate(sent) ? [] : problemsOf(validate.errors!, sent, title);
    };
  };
}

const ID = 'operator';

function compiledBy(ajv: Ajv2020, pointers: readonly string[]): ValidateFunction {
  const references = pointers.map((pointer) => ({ $ref: `${ID}#${encoded(pointer)}` }));
  try {
    return ajv.compile(references.length === 0 ? {} : { allOf: references });
  } catch (error) {
    const reason = `its schemas cannot be read: ${(error as Error).message}`;
    throw new AppError('document_invalid', { kind: 'contract', reason });
  }
}

/** A value as it is sent: a decimal is a text, or a number that floats keep. */
const asSent = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

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
  return ajv.addSchema(schemas, ID);
}

/** A pattern runs on RE2. Two of them are the same pattern when they have the same text. */
function patternOf(source: string): { test: (text: string) => boolean; toString: () => string } {
  const pattern = new Pattern(source);
  return { test: (text) => pattern.test(text), toString: () => source };
}

/** The formats that are checked, and those that say no more than the type. */
export const FORMATS: Readonly<Record<string, Format>> = {
  date: isCalendarDate,
  'date-time': (text: string) => parseInstant(text) !== undefined,
  uuid: /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i,
  int32: { type: 'number', validate: (value: number) => value >= -(2 ** 31) && value < 2 ** 31 },
  int64: { type: 'number', validate: (value: number) => value >= -(2 ** 63) && value < 2 ** 63 },
  decimal: true,
  float: true,
  double: true,
  password: true,
};

/** The list of an operator that a value is not in. */
export const listOf = (title: string): string => `values that ${title}'s contract lists`;

/** One problem for each place. The branches of schemas that nobody can tell apart are named together. */
function problemsOf(errors: readonly ErrorObject[], sent: unknown, title: string): readonly Problem[] {
  const branched = errors.filter(isBranched).map(({ instancePath }) => instancePath);
  const told = errors.filter(
    (error) =>
      error.keyword !== 'if' &&
      !(error.instancePath === '' && Object.hasOwn(accountFields, String(error.params['missingProperty']))) &&
      (isBranched(error) || !branched.some((path) => `${error.instancePath}/`.startsWith(`${path}/`))),
  );
  const all = told.map((error) => problemOf(error, pathOfPointer(error.instancePath, sent), title));
  const byPath = Map.groupBy(all, ({ path }) => JSON.stringify(path));
  return [...byPath.values()].map(([first]) => first!);
}

const isBranched = ({ keyword }: ErrorObject): boolean => keyword === 'oneOf' || keyword === 'anyOf';

function problemOf(error: ErrorObject, path: Path, title: string): Problem {
  const { keyword, params, data } = error;
  if (keyword === 'required') return failure('required', [...path, String(params['missingProperty'])]);
  const further = params['additionalProperty'] ?? params['unevaluatedProperty'];
  if (further !== undefined)
    return failure('unexpected_field', [...path, String(further)], { of: `${title}'s contract` });
  if (data === null) return failure('null', path);
  const { code, facts } = failureOf(error, title);
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

function failureOf({ keyword, schema, data }: ErrorObject, title: string): CheckFailure {
  const [code, unit] = LIMITED[keyword] ?? [];
  if (keyword === 'enum' || keyword === 'const') {
    const values = [schema].flat().filter((value) => value !== null);
    return { code: 'invalid_choice', facts: { list: listOf(title), known: listed(values.map(String), 12) } };
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

/** The first values of a list, and how many there are beside them. */
export function listed(values: readonly string[], shown = 8): string {
  const more = values.length - shown;
  const words = values.slice(0, shown).map((value) => (value === '' ? 'the empty text' : value));
  return [...words, ...(more > 0 ? [`and ${more} more`] : [])].join(', ');
}

/** The path of a JSON pointer (RFC 6901). A part is an index where the value has a list. */
export function pathOfPointer(pointer: string, root: unknown): Path {
  let value = root;
  return pointer
    .split('/')
    .slice(1)
    .map((part) => {
      const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
      const key = Array.isArray(value) && /^\d{1,9}$/.test(name) ? Number.parseInt(name, 10) : name;
      value = childOf(value, key);
      return key;
    });
}
