import { isJsonObject } from '../../../core/values/plain-json.ts';
import { pointerOf, inside, type Where } from '../../../core/operator/finding.ts';
import { alternativesOf, mappingOf } from './alternatives.ts';
import { membersOf, type Located, type LocatedObject } from './document.ts';
import { facetsOf, keyword } from './facets.ts';
import { noteKeywordsOfOthers, noteOtherKeywords } from './keywords.ts';
import { countsOf, leafOf } from './leaf.ts';
import {
  type ReadMember,
  type ReadMembers,
  type ReadTypes,
  type ReadValue,
  type Reading,
} from './reading.ts';
import { resolve } from './references.ts';
import { readValidators } from './validators.ts';
import { kindOf } from './value-kind.ts';

interface Context {
  readonly where: Where;
  readonly open: ReadonlySet<string>;
  /** Schemas whose types are being read, so that a type which inherits from one has no types again. */
  readonly told?: readonly unknown[];
}

/** Reads the schema of one value. Undefined when it is not understood; the reason is a finding. */
export function readSchema(schema: Located, where: Where, reading: Reading): ReadValue | undefined {
  return readValue([schema], { where, open: new Set() }, reading);
}

/** @param schemas the value has to meet all of them */
function readValue(schemas: readonly Located[], context: Context, reading: Reading): ReadValue | undefined {
  const found = facetsOf(schemas, context, reading);
  if (!found) return undefined;
  const use = (values: readonly unknown[]): void => values.forEach((value) => reading.read.add(value));
  use(found.passed);
  const { where } = context;
  const from = pointerOf(found.all.at(0)?.path ?? schemas[0]!.path);
  const own = { where, open: found.open };
  const facets: LocatedObject[] = [];
  let types: FoundTypes | undefined;
  let acceptsNull = true;
  let orText = false;
  let text: ReadValue | undefined;
  // Branches that were not told apart may have any further field.
  let isOpen = false;

  for (const waiting = [...found.all]; waiting.length > 0;) {
    const facet = waiting.shift()!;
    facets.push(facet);
    for (const name of ['oneOf', 'anyOf'] as const) {
      if (facet.value[name] === undefined) continue;
      const alternatives = alternativesOf(facet, name, own, reading);
      if (!alternatives) {
        isOpen = true;
        continue;
      }
      acceptsNull &&= alternatives.isNullable;
      use(alternatives.noted.map(({ value }) => value));
      for (const each of alternatives.noted) noteOtherKeywords(each, where, reading);
      if (alternatives.kind === 'values') {
        facets.push({
          value: { enum: alternatives.values, nullable: alternatives.isNullable },
          path: [...facet.path, name],
        });
      } else if (alternatives.kind === 'one') {
        orText ||= alternatives.orText;
        text = alternatives.text && readValue([alternatives.text], own, reading);
        const branch = facetsOf([alternatives.branch], own, reading);
        if (!branch) return undefined;
        use(branch.passed);
        waiting.push(...branch.all.map((each) => (alternatives.isNullable ? nullable(each) : each)));
      } else if (types) {
        reading.findings.add('not_understood', where, `a second \`${name}\` is not read`, facet.path);
        isOpen = true;
      } else types = alternatives;
    }
  }
  types ??= typesByMapping(facets, context, reading);
  for (const facet of facets) {
    noteOtherKeywords(facet, where, reading);
    readValidators(facet, reading, where);
  }
  const known = types ? { kind: 'object' as const, orText: false } : kindOf(facets, where, reading);
  if (!known || (isOpen && known.kind === 'json')) return undefined;
  const { kind } = known;
  orText ||= known.orText;
  noteKeywordsOfOthers(facets, kind, orText, where, reading);
  const nullables = facets.map(nullability);
  const common = {
    from,
    patterns: [],
    isNullable: acceptsNull && nullables.includes('yes') && !nullables.includes('no'),
    ...deprecationOf(facets),
  };
  if (kind === 'object') {
    const members = readMembers(facets, own, reading);
    return {
      ...common,
      kind,
      members: isOpen ? { ...members, others: 'any' } : members,
      ...(types && {
        types: readTypes(
          types,
          facets,
          types.told ? { ...context, told: [...(context.told ?? []), types.told] } : own,
          reading,
        ),
      }),
    };
  }
  if (kind === 'list') {
    const items = keyword(facets, 'items');
    const item =
      items.length === 0
        ? { from, kind: 'json' as const, isNullable: true, patterns: [] }
        : readValue(items, { ...own, where: inside(where, '[]') }, reading);
    return { ...common, kind, item, ...countsOf(facets, 'Items', where, reading) };
  }
  const leaf = leafOf(facets, kind, where, reading);
  if (!orText) return { ...common, kind, ...leaf, ...(text && { text }) };
  // A value that may travel in two forms travels in the form of the interface.
  const { wire: _, ...both } = leaf;
  return { ...common, kind, ...both, orText };
}

/** Types of objects. `told`: the schema whose discriminator tells them apart, if they inherit from it. */
type FoundTypes = { readonly by: string; readonly of: ReadonlyMap<string, Located>; readonly told?: unknown };

/** A discriminator of a schema from which its types inherit (OpenAPI 3.0.3, "Discriminator Object"). */
function typesByMapping(
  facets: readonly LocatedObject[],
  { where, told = [] }: Context,
  reading: Reading,
): FoundTypes | undefined {
  const holders = facets.filter(
    ({ value }) =>
      value['discriminator'] !== undefined && !value['oneOf'] && !value['anyOf'] && !told.includes(value),
  );
  const [holder] = holders;
  if (!holder) return undefined;
  const { by, of } = mappingOf(holder, reading) ?? {};
  if (holders.length === 1 && by !== undefined && of !== undefined && of.size > 0)
    return { by, of, told: holder.value };
  const says = 'a discriminator without `mapping` and without `oneOf` does not say which types there are';
  reading.findings.add('not_understood', where, says, [...holder.path, 'discriminator']);
  return undefined;
}

function nullable({ value, path }: LocatedObject): LocatedObject {
  return { value: { ...value, nullable: true }, path };
}

/** Whether a schema says that null passes, that it does not pass, or neither. */
function nullability({ value }: LocatedObject): 'yes' | 'no' | 'unsaid' {
  const types = value['type'];
  const values = value['enum'];
  const isListed = !Array.isArray(values) || values.includes(null);
  // A closed list without null has no null, whatever `nullable` says (OpenAPI 3.0.3, "Schema Object").
  if (!isListed) return 'no';
  if (value['nullable'] === true || (Array.isArray(types) && types.includes('null'))) return 'yes';
  if (types !== undefined || value['const'] !== undefined) return 'no';
  return Array.isArray(values) ? 'yes' : 'unsaid';
}

function readMembers(facets: readonly LocatedObject[], context: Context, reading: Reading): ReadMembers {
  const required = new Set(
    keyword(facets, 'required').flatMap(({ value }) => (Array.isArray(value) ? (value as unknown[]) : [])),
  );
  const schemas = new Map<string, Located[]>();
  for (const properties of keyword(facets, 'properties')) {
    for (const { key, value, path } of membersOf(properties)) {
      const before = schemas.get(key);
      if (before) before.push({ value, path });
      else schemas.set(key, [{ value, path }]);
    }
  }
  const fields = new Map<string, ReadMember>();
  for (const [name, located] of schemas) {
    const where = inside(context.where, name);
    if (located.some((schema) => isOfAnswers(schema, reading))) {
      const says = 'is a field of answers (`readOnly`), and never sent';
      reading.findings.add('ignored', where, says, located[0]!.path);
      continue;
    }
    const value = readValue(located, { ...context, where }, reading);
    fields.set(name, { isRequired: required.has(name), value, from: pointerOf(located[0]!.path) });
  }
  for (const name of required) {
    if (typeof name !== 'string' || schemas.has(name)) continue;
    const from = pointerOf(keyword(facets, 'required')[0]!.path);
    reading.findings.add(
      'not_understood',
      inside(context.where, name),
      'is required and not described',
      from,
    );
  }
  return { fields, others: othersOf(facets, context, reading) };
}

/** Whether a property is one of answers only. A reference to such a schema is, too. */
function isOfAnswers(schema: Located, reading: Reading): boolean {
  const parts = [schema, resolve(schema, reading.document)];
  return parts.some(({ value }) => isJsonObject(value) && value['readOnly'] === true);
}

function othersOf(
  facets: readonly LocatedObject[],
  context: Context,
  reading: Reading,
): ReadMembers['others'] {
  const said = [...keyword(facets, 'additionalProperties'), ...keyword(facets, 'unevaluatedProperties')];
  if (said.some(({ value }) => value === false)) return 'none';
  const schema = said.find(({ value }) => isJsonObject(value) && Object.keys(value).length > 0);
  if (!schema) return said.length > 0 ? 'any' : 'unsaid';
  const where = inside(context.where, '*');
  return readValue([schema], { ...context, where }, reading) ?? 'none';
}

function readTypes(
  { by, of, told }: FoundTypes,
  facets: readonly LocatedObject[],
  context: Context,
  reading: Reading,
): ReadTypes {
  const shared = facets.map(withoutAlternatives);
  const types = [...of].flatMap(([type, branch]) => {
    const { where } = context;
    const isOfRecord = where.field === '' && where.resource !== null;
    const inner = isOfRecord ? { ...where, type } : where;
    // A type that inherits has the schema of its parent by itself.
    const schemas = told ? [branch] : [...shared, branch];
    const value = readValue(schemas, { ...context, where: inner }, reading);
    return value ? [[type, value] as const] : [];
  });
  return { by, of: new Map(types) };
}

/** A schema without the keywords that were read already. */
function withoutAlternatives({ value, path }: LocatedObject): LocatedObject {
  const entries = Object.entries(value).filter(
    ([name]) => !['oneOf', 'anyOf', 'discriminator'].includes(name),
  );
  return { value: Object.fromEntries(entries), path };
}

function deprecationOf(facets: readonly LocatedObject[]): Pick<ReadValue, 'deprecated'> {
  if (!keyword(facets, 'deprecated').some(({ value }) => value === true)) return {};
  const instead = keyword(facets, 'x-use-instead').find(({ value }) => typeof value === 'string')?.value;
  return { deprecated: instead === undefined ? {} : { instead: instead as string } };
}
