import { Ajv2020 } from 'ajv/dist/2020.js';
import { DESCRIPTORS, type Resource, RESOURCES } from '../../../core/contract/resources.ts';
import { FIELD_NAME } from '../../../core/operator/contract.ts';
import { MOST_SCHEMAS, partsOf, TooManySchemas, valuesIn } from './fields.ts';
import { below, memberOf, membersOf, partAt, pointerIn, words, type Located } from './located.ts';
import { FORMATS, pathOfPointer } from '../../../core/operator/operator-check.ts';
import { unreadablePattern } from '../../../core/values/pattern.ts';
import { childOf, isJsonObject } from '../../../core/values/plain-json.ts';
import { inside, type Where } from '../finding.ts';
import { type Reading, resolve } from './document.ts';
import { isNull, typesOf, type FoundTypes } from './told-apart.ts';

/** Keywords with a schema, and with a list of schemas. */
const WITH_SCHEMA = words(
  'items additionalProperties unevaluatedProperties unevaluatedItems propertyNames contains not if then else',
);
const WITH_SCHEMAS = words('allOf oneOf anyOf prefixItems');

/** Keywords for people and tools. Examples are never believed. */
const ANNOTATIONS = words(
  'title summary description example examples default deprecated externalDocs xml writeOnly readOnly nullable discriminator $comment $defs definitions $id $schema $anchor',
);

const META = new Ajv2020({ strict: false, logger: false, validateFormats: false });

/** Whether a name is a keyword of JSON Schema without schemas by name in it that says something about values. */
const isKeyword = (name: string): boolean =>
  META.getKeyword(name) !== false && !/^(?:content|patternP|dependentS)/.test(name);

/** Why a keyword with such a value is none; undefined when it is one. */
function whyNoKeyword(name: string, value: unknown): string | undefined {
  if (name === 'enum' && Array.isArray(value) && value.length === 0) return 'no value is in the list';
  return META.validateSchema({ [name]: value }) ? undefined : `it ${META.errors![0]!.message}`;
}

type Schema = Record<string, unknown>;

/** Pointers of the schemas of records by their types; undefined where nothing tells types apart. */
export type PointersByType = Readonly<Record<string, string>> | undefined;

/**
 * Copies the schema of a request, and the schemas that it refers to, to their places in the contract, in the dialect of JSON Schema 2020-12.
 * Returns the pointers of the schemas of records by their types.
 * @throws AppError `document_invalid` for references that lead nowhere, outside or in a circle
 */
export function collectSchemas(body: Located, resource: Resource, reading: Reading): PointersByType {
  const { document, note, schemas } = reading;
  const root = document.root.value;
  const { list, typeField } = DESCRIPTORS[resource];
  const collected = new Set<string>();
  let typesOfRecord: PointersByType;
  collect(body, { resource, types: [], field: '' });
  const counts = new Map<string, number>();
  for (const pointer of collected) endCircles(partAt(pointer, schemas));
  return typesOfRecord;

  function collect(located: Located, where: Where): void {
    if (collected.size === collected.add(located.at).size) return;
    put(schemas, located.at, schemaOf(located, where));
  }

  function schemaOf(located: Located, where: Where): unknown {
    const { value, at } = located;
    if (typeof value === 'boolean') return value;
    const miss = (says: string, from = at): void => note('not_understood', where, says, from);
    if (!isJsonObject(value)) {
      miss('is not described by an object');
      return {};
    }
    readValidators(located, reading, where);
    resolve(located, document);
    const reference = pointerIn(value['$ref']);
    if (reference !== undefined) collect(partAt(reference, root), where);
    const schema: Schema = {};
    for (const [name, given] of Object.entries(in2020(value))) {
      // The keys beside a reference count in OpenAPI 3.1.
      if (reference !== undefined && document.version.startsWith('3.0') && name !== '$ref') continue;
      const part = { value: given, at: below(at, name) };
      if (name === 'properties') schema[name] = propertiesOf(part, where);
      else if (WITH_SCHEMA.has(name)) schema[name] = schemaOf(part, insideOf(where, name));
      else if (WITH_SCHEMAS.has(name)) schema[name] = membersOf(part).map((each) => schemaOf(each, where));
      else if (isKeyword(name) && !ANNOTATIONS.has(name)) {
        const says = whyUnusable(name, given);
        if (says === undefined) schema[name] = given;
        else miss(says, part.at);
      } else if (!ANNOTATIONS.has(name) && !name.startsWith('x-'))
        miss(`\`${name}\` is not checked`, part.at);
    }
    // Nobody knows which names a pattern leaves over.
    if (value['patternProperties'] !== undefined)
      for (const name of ['additionalProperties', 'unevaluatedProperties']) delete schema[name];
    if (Array.isArray(schema['required']))
      schema['required'] = schema['required'].filter(
        (name) => FIELD_NAME.test(String(name)) && !isOfAnswers(childOf(value['properties'], String(name))),
      );
    tellApart(located, schema, where);
    return schema;
  }

  function insideOf(where: Where, name: string): Where {
    if (name !== 'items') return where;
    return where.field === list ? { ...where, field: '' } : inside(where, '[]');
  }

  /** Properties that may be sent. Fields of answers are none of them. */
  function propertiesOf(part: Located, where: Where): object {
    const sent = membersOf(part).filter(({ value }) => !isOfAnswers(value));
    const properties = sent.flatMap((property): [string, unknown][] => {
      const { key } = property;
      if (FIELD_NAME.test(key)) return [[key, schemaOf(property, inside(where, key))]];
      const says = `\`${key}\` has a name that no field can have, so it is left out`;
      note('not_understood', where, says, part.at);
      return [];
    });
    return Object.fromEntries(properties);
  }

  /** Whether a property is one of answers only. A reference to such a schema is, too. */
  function isOfAnswers(value: unknown): boolean {
    const behind = resolve({ value, at: '' }, document).value;
    return [value, behind].some((each) => childOf(each, 'readOnly') === true);
  }

  /** Why a keyword says nothing that can be checked. */
  function whyUnusable(name: string, value: unknown): string | undefined {
    if (name === 'format' && !Object.hasOwn(FORMATS, String(value)))
      return `the format \`${String(value)}\` is not checked`;
    if (name === 'pattern') {
      const reason = typeof value === 'string' ? unreadablePattern(value) : 'it is no text';
      return reason === undefined ? undefined : `the pattern is not checked: ${reason}`;
    }
    const reason = whyNoKeyword(name, value);
    return reason === undefined ? undefined : `\`${name}\` is not checked: ${reason}`;
  }

  /** Joins branches that are lists of values into one list, and tells all others apart by the value of a field. */
  function tellApart(holder: Located, schema: Schema, where: Where): void {
    const all = (schema['allOf'] ?? []) as unknown[];
    const found = typesOf(holder, root);
    for (const name of ['oneOf', 'anyOf']) {
      const branches = membersOf(memberOf(holder, name));
      const lists = branches.map(valuesOf);
      const some = branches.filter((branch) => !isNull(branch, root));
      if (branches.length > 1 && lists.every((list) => list !== undefined))
        all.push({ enum: [...new Set(lists.flat())] });
      else if (some.length === 1) {
        const only = (schema[name] as readonly unknown[])[branches.indexOf(some[0]!)];
        all.push(branches.length > 1 ? { if: { type: 'null' }, else: only } : only);
      } else continue;
      delete schema[name];
    }
    if (found) tellTypes(holder, schema, where, found, all);
    if (all.length > 0) schema['allOf'] = all;
  }

  function tellTypes(
    holder: Located,
    schema: Schema,
    where: Where,
    { by, of }: FoundTypes,
    all: unknown[],
  ): void {
    for (const name of ['oneOf', 'anyOf']) delete schema[name];
    const isOfRecord = where.field === '' && by === typeField;
    const types = of.map(([type, target]) => {
      // A mapping to nothing is as wrong as a reference to nothing.
      resolve(target, document, target.at);
      return [type, schemaOf(target, isOfRecord ? { ...where, types: [type] } : where)] as const;
    });
    all.push({ required: [by], properties: { [by]: { enum: types.map(([type]) => type) } } });
    if (isOfRecord) {
      // A record has the fields of its type alone, and the schemas of types are checked beside this one.
      delete schema['unevaluatedProperties'];
      schema['$defs'] = Object.fromEntries(types);
      const defs = below(holder.at, '$defs');
      const places = types.map(([type]) => [type, below(defs, type)] as const);
      typesOfRecord = Object.fromEntries(places);
    } else
      for (const [type, own] of types)
        all.push({ if: { properties: { [by]: { not: { const: type } } } }, else: own });
  }

  function valuesOf(schema: Located): readonly unknown[] | undefined {
    if (isNull(schema, root)) return [null];
    const lists = (partsOf([schema], root)?.all ?? []).flatMap(({ value }) => {
      const list = valuesIn(value);
      return list ? [list] : [];
    });
    return lists[0]?.filter((value) => lists.every((list) => list.includes(value)));
  }

  /**
   * Schemas that a value would have to meet without end: branches that lead back are left out. Returns how many a value meets there.
   * @throws AppError `document_invalid` when there is no branch on the way
   * @throws TooManySchemas
   */
  function endCircles(part: Located, way: readonly string[] = []): number {
    const before = way.indexOf(part.at);
    if (before >= 0) {
      const branch = [...way.slice(before + 1), part.at].findLast((at) => BRANCH.test(at));
      if (branch === undefined) {
        const todo = 'Ask the operator to correct the document.';
        throw document.failure(part.at, 'the references of `allOf` lead in a circle', todo);
      }
      const [, holder = '', name = ''] = BRANCH.exec(branch)!;
      delete (partAt(holder, schemas).value as Schema)[name];
      const where = { resource, types: [], field: '' };
      note('not_understood', where, `\`${name}\` leads back to its own schema`, holder);
      return 0;
    }
    const target = pointerIn(childOf(part.value, '$ref'));
    const inner = ['allOf', 'not', 'oneOf', 'anyOf', 'then', 'else'].flatMap((name) => {
      const member = memberOf(part, name);
      return Array.isArray(member?.value) ? membersOf(member) : (member ?? []);
    });
    const met = target === undefined ? inner : [partAt(target, schemas), ...inner];
    const count =
      counts.get(part.at) ?? met.reduce((sum, each) => sum + endCircles(each, [...way, part.at]), 1);
    counts.set(part.at, count);
    if (count > MOST_SCHEMAS) throw new TooManySchemas(part.at);
    return count;
  }
}

/** The place of a schema of which a value may meet others instead: the holder, and its keyword. */
const BRANCH = /^(.*)\/(oneOf|anyOf|then|else)(?:\/\d+)?$/s;

/** Null and exclusive bounds as JSON Schema 2020-12 says them. */
function in2020({ ...schema }: Schema): Schema {
  if (schema['nullable'] === true && schema['type'] !== undefined)
    schema['type'] = [schema['type'], 'null'].flat();
  for (const name of ['Minimum', 'Maximum']) {
    const { [`exclusive${name}`]: isExclusive, [name.toLowerCase()]: bound } = schema;
    if (typeof isExclusive !== 'boolean') continue;
    delete schema[`exclusive${name}`];
    if (!isExclusive) continue;
    delete schema[name.toLowerCase()];
    if (bound !== undefined) schema[`exclusive${name}`] = bound;
  }
  return schema;
}

/** Puts a schema at a pointer, around the schemas that are below it already. What is on the way is made where it is missing. */
function put(root: Schema, pointer: string, value: unknown): void {
  const path = pathOfPointer(pointer, root);
  let holder = root;
  for (const part of path.slice(0, -1)) {
    holder[part] ??= {};
    holder = holder[part] as Schema;
  }
  const name = path.at(-1)!;
  const before = holder[name];
  holder[name] = isJsonObject(before) && isJsonObject(value) ? { ...before, ...value } : value;
}

/** Where the words of a validator or of an error are, the best first. */
const WORDS = ['title', 'detail', 'message', 'description', 'summary', 'name'];

const CODE = /^[A-Za-z]\w{0,127}$/;

/** Reads the rules that `x-validators` of a schema or an operation names, by the codes of their errors. */
export function readValidators(holder: Located, { note, rules }: Reading, where: Where): void {
  for (const validator of membersOf(memberOf(holder, 'x-validators'))) {
    const title = wordsOf(validator.value);
    const errors = membersOf(memberOf(validator, 'possible_errors'));
    if (errors.length === 0) {
      const words = title === '' ? '' : `: ${title}`;
      const says = `a validator without \`possible_errors\` has no code to know it by${words}`;
      note('not_understood', where, says, validator.at);
    }
    for (const { value, key, at } of errors) {
      const code = typeof value === 'string' ? value : (childOf(value, 'code') ?? key);
      if (typeof code !== 'string' || !CODE.test(code)) {
        note('not_understood', where, 'a possible error has no code', at);
        continue;
      }
      const before = rules.get(code);
      rules.set(code, {
        code,
        title: before?.title || wordsOf(value) || title,
        from: before?.from ?? at,
        resources: RESOURCES.filter((each) => each === where.resource || before?.resources?.includes(each)),
      });
    }
  }
}

/** The document's own words: one line of at most 200 characters. */
function wordsOf(value: unknown): string {
  const said = WORDS.map((name) => childOf(value, name));
  const [words = ''] = said.filter((each) => typeof each === 'string' && each.trim() !== '');
  return [...String(words).trim().replaceAll(/\s+/g, ' ')].slice(0, 200).join('');
}
