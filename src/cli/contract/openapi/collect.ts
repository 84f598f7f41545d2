import { DESCRIPTORS, type Resource } from '../../../core/contract/resources.ts';
import { FIELD_NAME } from '../../../core/operator/contract.ts';
import { inside, type Where } from '../finding.ts';
import {
  childOf,
  facetsOf,
  isNull,
  keyword,
  memberOf,
  membersOf,
  partAt,
  pointerIn,
  pointerOf,
  type Located,
} from '../../../core/operator/located.ts';
import { MOST_SCHEMAS, TooManySchemas } from '../../../core/operator/value.ts';
import { FORMATS } from '../../../core/operator/operator-check.ts';
import { unreadablePattern } from '../../../core/values/pattern.ts';
import { isJsonObject, type JsonObject } from '../../../core/values/plain-json.ts';
import type { Reading } from './reading.ts';
import { resolve } from './references.ts';
import { typesOf } from './told-apart.ts';
import { readValidators } from './validators.ts';

/** Most values of a closed list. */
const MOST_VALUES = 5_000;

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

/** Keywords with a schema, with a list of schemas, and with schemas by name. */
const WITH_SCHEMA = words(
  'items additionalProperties unevaluatedProperties unevaluatedItems propertyNames contains not if then else',
);
const WITH_SCHEMAS = words('allOf oneOf anyOf prefixItems');
const BY_NAME = words('properties patternProperties dependentSchemas');
const COUNTS = words(
  'minLength maxLength minItems maxItems minProperties maxProperties minContains maxContains',
);
const LIMITS = words('minimum maximum exclusiveMinimum exclusiveMaximum multipleOf');
/** Keywords that are copied, or read together with others. */
const OTHERS = words('$ref type required enum const format pattern uniqueItems deprecated x-use-instead');
const TYPES = words('string number integer boolean object array null');

/** Keywords for people and tools. Examples are never believed. */
const ANNOTATIONS = words(
  'title summary description example examples default externalDocs xml writeOnly readOnly nullable discriminator $comment $defs definitions $id $schema $anchor',
);

/**
 * Copies the schema of a request, and the schemas that it refers to, to their places in the contract, in the dialect of JSON Schema 2020-12.
 * @throws AppError `operator_document_invalid` for references that lead nowhere, outside or in a circle
 */
export function collectSchemas(body: Located, resource: Resource, reading: Reading): void {
  const { document, findings, schemas } = reading;
  const { list, typeField } = DESCRIPTORS[resource];
  const collected = new Set<string>();
  collect(body, { resource, type: null, field: '' });
  const counts = new Map<string, number>();
  for (const pointer of collected) endCircles(partAt(pointer, schemas));

  function collect(located: Located, where: Where): void {
    const pointer = pointerOf(located.path);
    if (collected.size === collected.add(pointer).size) return;
    put(schemas, located.path, schemaOf(located, where));
  }

  function schemaOf(located: Located, where: Where): unknown {
    const { value, path } = located;
    if (typeof value === 'boolean') return value;
    const note = (name: string | undefined, says: string): void =>
      findings.add('not_understood', where, says, name === undefined ? path : [...path, name]);
    if (!isJsonObject(value)) {
      note(undefined, 'is not described by an object');
      return {};
    }
    readValidators(located, reading, where);
    const isReference = value['$ref'] !== undefined;
    if (isReference) collect(partAt(resolve(located, document).by[0]!, document.root.value), where);
    const schema: Record<string, unknown> = {};
    for (const [name, given] of Object.entries(value)) {
      // The keys beside a reference count in OpenAPI 3.1; in 3.0 these are read all the same.
      if (isReference && document.is30 && !['$ref', 'deprecated', 'x-use-instead'].includes(name)) continue;
      const part = { value: given, path: [...path, name] };
      if (name === 'properties') Object.assign(schema, propertiesOf(located, where, note));
      else if (WITH_SCHEMA.has(name)) schema[name] = schemaOf(part, insideOf(where, name));
      else if (WITH_SCHEMAS.has(name)) schema[name] = membersOf(part).map((each) => schemaOf(each, where));
      else if (BY_NAME.has(name))
        schema[name] = Object.fromEntries(membersOf(part).map((each) => [each.key, schemaOf(each, where)]));
      else if (OTHERS.has(name) || COUNTS.has(name) || LIMITS.has(name)) {
        const copied = plainKeyword(name, given, part.path, (says) => note(name, says));
        if (copied !== undefined) schema[name] = copied;
      } else if (!ANNOTATIONS.has(name) && !name.startsWith('x-')) note(name, `\`${name}\` is not checked`);
    }
    if (Array.isArray(schema['required'])) schema['required'] = sendable(schema['required'], value);
    if (value['nullable'] === true && schema['type'] !== undefined)
      schema['type'] = [schema['type'], 'null'].flat();
    for (const [name, bound] of [
      ['exclusiveMinimum', 'minimum'],
      ['exclusiveMaximum', 'maximum'],
    ] as const)
      if (typeof schema[name] === 'boolean') {
        if (schema[name]) {
          schema[name] = schema[bound];
          delete schema[bound];
        } else delete schema[name];
      }
    tellApart(located, schema, where);
    return schema;
  }

  function insideOf(where: Where, name: string): Where {
    if (name !== 'items') return where;
    return where.field === list ? { ...where, field: '' } : inside(where, '[]');
  }

  /** Properties that may be sent. Fields of answers are none of them. */
  function propertiesOf(
    holder: Located,
    where: Where,
    note: (name: string, says: string) => void,
  ): { properties: object } {
    const all = membersOf(memberOf(holder, 'properties')).filter((property) => !isOfAnswers(property));
    const properties = all.flatMap((property): [string, unknown][] => {
      const { key } = property;
      if (FIELD_NAME.test(key)) return [[key, schemaOf(property, inside(where, key))]];
      note('properties', `\`${key}\` has a name that no field can have, so it is left out`);
      return [];
    });
    return { properties: Object.fromEntries(properties) };
  }

  function sendable(required: readonly unknown[], { properties }: JsonObject): readonly unknown[] {
    return required.filter((name) => {
      if (typeof name !== 'string' || !FIELD_NAME.test(name)) return false;
      const value = childOf(properties, name);
      return value === undefined || !isOfAnswers({ value, path: [] });
    });
  }

  /** Whether a property is one of answers only. A reference to such a schema is, too. */
  function isOfAnswers(schema: Located): boolean {
    return [schema, resolve(schema, document)].some(({ value }) => childOf(value, 'readOnly') === true);
  }

  /** A keyword without schemas in it; undefined when it is left out, and why. */
  function plainKeyword(
    name: string,
    given: unknown,
    path: Located['path'],
    leaveOut: (says: string) => void,
  ): unknown {
    const says = whyUnusable(name, given);
    if (says !== undefined) {
      leaveOut(says);
      return undefined;
    }
    if (name === 'enum' && (given as unknown[]).length > MOST_VALUES) {
      const todo =
        'Ask the operator whether the list is complete. To go on without it, remove this `enum` from a copy of the document and import the copy: then only the platform checks these values.';
      const reason = `the list has ${(given as unknown[]).length} values, and at most ${MOST_VALUES} are read`;
      throw document.failure(path, reason, todo);
    }
    return name === 'enum' ? [...new Set(given as unknown[])] : given;
  }

  /** Joins branches that are lists of values into one list. Tells all others apart by the value of a field. */
  function tellApart(holder: Located, schema: Record<string, unknown>, where: Where): void {
    for (const name of ['oneOf', 'anyOf']) {
      const branches = membersOf(memberOf(holder, name));
      const lists = branches.map((branch) => valuesOf([branch]));
      if (branches.length < 2 || lists.some((list) => list === undefined)) continue;
      const values = [...new Set(lists.flatMap((list) => list!))];
      delete schema[name];
      schema['allOf'] = [...((schema['allOf'] ?? []) as unknown[]), { enum: values }];
    }
    const found = typesOf(holder, document.root.value);
    if (!found) return;
    const { by, of } = found;
    const isOfRecord = where.field === '';
    const inherits = of.some(([, target]) =>
      facetsOf([target], document.root.value)?.all.some(
        ({ path }) => pointerOf(path) === pointerOf(holder.path),
      ),
    );
    if (isOfRecord ? by !== typeField : inherits) {
      const says = `its types are told apart by \`${by}\`${isOfRecord ? ', and not so in the interface' : ' and inherit from it'}`;
      findings.add('not_understood', where, says, holder.path);
      if (inherits) for (const name of ['oneOf', 'anyOf']) delete schema[name];
      return;
    }
    const types = of.map(([type, target]) => {
      // A mapping to nothing is as wrong as a reference to nothing.
      resolve(target, document, target.path);
      return [type, schemaOf(target, isOfRecord ? { ...where, type } : where)];
    });
    for (const name of ['oneOf', 'anyOf']) delete schema[name];
    // A record has the fields of its type alone, and the schemas of types are checked beside this one.
    if (isOfRecord) delete schema['unevaluatedProperties'];
    schema['x-types'] = { by, of: Object.fromEntries(types), ...(isOfRecord && { bare: true }) };
  }

  function valuesOf(schemas: readonly Located[]): readonly unknown[] | undefined {
    const facets = facetsOf(schemas, document.root.value)?.all ?? [];
    const lists = keyword(facets, 'enum').flatMap(({ value }) =>
      Array.isArray(value) ? [value as unknown[]] : [],
    );
    const constants = keyword(facets, 'const').map(({ value }) => [value]);
    if (schemas.every((schema) => isNull(schema, document.root.value))) return [null];
    const [first, ...others] = [...lists, ...constants];
    return first?.filter((value) => others.every((list) => list.includes(value)));
  }

  /**
   * Schemas that a value would have to meet without end: branches that lead back are left out.
   * @throws AppError `operator_document_invalid` when there is no branch on the way, or when a value would meet too many schemas
   */
  function endCircles(start: Located): void {
    const trail: {
      pointer: string;
      choice?: { holder: Record<string, unknown>; name: string; at: Located };
    }[] = [];
    visit(start);

    /** How many schemas a value meets there. */
    function visit(part: Located, choice?: (typeof trail)[number]['choice']): number {
      const pointer = pointerOf(part.path);
      const before = trail.findIndex((each) => each.pointer === pointer);
      if (before >= 0) {
        const way = [...trail.slice(before + 1), { pointer, choice }].findLast((each) => each.choice)?.choice;
        if (!way) {
          const todo = 'Ask the operator to correct the document.';
          throw document.failure(part.path, 'the references of `allOf` lead in a circle', todo);
        }
        const where = { resource, type: null, field: '' };
        findings.add('not_understood', where, `\`${way.name}\` leads back to its own schema`, way.at.path);
        delete way.holder[way.name];
        return 0;
      }
      if (!isJsonObject(part.value)) return 0;
      const known = counts.get(pointer);
      if (known !== undefined) return known;
      let count = 1;
      trail.push({ pointer, ...(choice && { choice }) });
      const reference = memberOf(part, '$ref');
      if (reference) count += visit(partAt(pointerIn(reference.value)!, schemas), choice);
      const parts = ['not', 'if', 'then', 'else'].flatMap((name) => memberOf(part, name) ?? []);
      for (const each of [...membersOf(memberOf(part, 'allOf')), ...parts]) count += visit(each);
      for (const name of ['oneOf', 'anyOf'])
        for (const each of membersOf(memberOf(part, name)))
          count += visit(each, { holder: part.value as Record<string, unknown>, name, at: part });
      trail.pop();
      counts.set(pointer, count);
      if (count > MOST_SCHEMAS) throw new TooManySchemas(part.path);
      return count;
    }
  }
}

/** Why a keyword says nothing that can be checked. */
function whyUnusable(name: string, value: unknown): string | undefined {
  if (COUNTS.has(name) && !(Number.isSafeInteger(value) && (value as number) >= 0))
    return `\`${name}\` is not a whole number of 0 or more`;
  if (LIMITS.has(name) && !['number', 'boolean'].includes(typeof value)) return `\`${name}\` is not a number`;
  if (name === 'enum' && !Array.isArray(value)) return '`enum` is not a list';
  if (name === 'enum' && (value as unknown[]).length === 0)
    return 'no value is in the list: it is not checked';
  if (name === 'required' && !Array.isArray(value)) return '`required` is not a list';
  if (name === 'type' && ![value].flat().every((type) => TYPES.has(type as string)))
    return `the type \`${String(value)}\` is not checked`;
  if (name === 'format' && !Object.hasOwn(FORMATS, value as string))
    return `the format \`${String(value)}\` is not checked`;
  if (name !== 'pattern') return undefined;
  const reason = typeof value === 'string' ? unreadablePattern(value) : 'it is no text';
  return reason === undefined ? undefined : `the pattern is not checked: ${reason}`;
}

/** Puts a value at a path. What is on the way is made where it is missing. */
export function put(root: Record<string, unknown>, path: Located['path'], value: unknown): void {
  let holder = root;
  for (const part of path.slice(0, -1)) {
    holder[part] ??= {};
    holder = holder[part] as Record<string, unknown>;
  }
  holder[path.at(-1)!] = value;
}
