import type { Endpoint } from '../../../core/contract/descriptor.ts';
import { isJsonObject } from '../../../core/values/plain-json.ts';
import { pointerOf, type Where } from '../../../core/operator/finding.ts';
import { memberOf, membersOf, serversOf, type Located } from './document.ts';
import type { Reading } from './reading.ts';
import { resolve, usedAt } from './references.ts';

// Nothing of a document is left out in silence: each part that no request of the interface uses is a finding by its name.

/** A request of the interface, as the document has it. */
export interface ReadOperation {
  readonly endpoint: Endpoint;
  /** The path item around it. */
  readonly item: Located;
  readonly operation: Located;
}

/** Words for people, which no member of this kind is without. */
const WORDS = [
  'title',
  'summary',
  'description',
  'externalDocs',
  'tags',
  'operationId',
  'example',
  'examples',
];

export const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

/** Lists everything of an operation that is neither its body nor a part of its answers. */
export function noteOperation(
  { endpoint, item, operation }: ReadOperation,
  where: Where,
  reading: Reading,
): void {
  const { findings } = reading;
  const own = `${endpoint.method} ${endpoint.path.replaceAll(/:(\w+)/g, '{$1}')}`;
  noteOthers(item, [...WORDS, ...METHODS, 'parameters', 'servers', '$ref'], where, reading);
  noteOthers(
    operation,
    [...WORDS, 'requestBody', 'responses', 'parameters', 'servers', 'security', 'deprecated', 'x-validators'],
    where,
    reading,
  );
  if (memberOf(operation, 'deprecated')?.value === true)
    findings.add('deprecates', where, `the request ${own} is deprecated`, operation.path);
  for (const { key, path } of membersOf(item)) {
    if (METHODS.includes(key) && key !== endpoint.method.toLowerCase())
      findings.add('ignored', where, `the interface has no such request: ${key.toUpperCase()}`, path);
  }
  for (const part of [item, operation]) noteServers(part, where, reading);
  noteSecurity(memberOf(operation, 'security'), where, reading);
  noteParameters({ endpoint, item, operation }, own, where, reading);
}

/** Lists everything of a document that is no request of the interface. */
export function noteRest(operations: readonly ReadOperation[], reading: Reading): void {
  const where = { resource: null, type: null, field: '' };
  const { document, findings } = reading;
  const { root } = document;
  noteOthers(
    root,
    [...WORDS, 'openapi', 'info', 'servers', 'paths', 'components', 'security'],
    where,
    reading,
  );
  const info = memberOf(root, 'info');
  const about = [
    [info, ['version', 'contact', 'license', 'termsOfService']],
    [info && memberOf(info, 'contact'), ['name', 'url', 'email']],
    [info && memberOf(info, 'license'), ['name', 'url', 'identifier']],
    ...membersOf(memberOf(root, 'tags')).map((tag) => [tag, ['name', 'parent', 'kind']] as const),
  ] as const;
  for (const [part, names] of about) if (part) noteOthers(part, [...WORDS, ...names], where, reading);
  noteServers(root, where, reading);
  noteSecurity(memberOf(root, 'security'), where, reading);
  const ours = new Set(operations.map(({ item }) => item.value));
  const paths = memberOf(root, 'paths');
  for (const { key, path } of membersOf(paths).filter(({ key: name }) => name.startsWith('x-')))
    findings.add('ignored', where, `the extension \`${key}\` is not read`, path);
  const others = membersOf(paths).filter(
    (each) => !each.key.startsWith('x-') && !ours.has(resolve(each, document).value),
  );
  noteNames('the interface has no such paths', paths, others, where, reading);
  for (const section of membersOf(memberOf(root, 'components'))) {
    if (section.key.startsWith('x-') || !isJsonObject(section.value)) {
      findings.add('ignored', where, `\`${section.key}\` is not read`, section.path);
      continue;
    }
    noteUnused(section.key, section, where, reading);
  }
  for (const definitions of reading.definitions) {
    noteUnused('schemas', definitions, where, reading);
  }
}

function noteUnused(what: string, holder: Located, where: Where, reading: Reading): void {
  const unused = membersOf(holder).filter(({ value }) => !reading.read.has(value));
  const says = `these ${what} are not read for any request of the interface`;
  const [ofAnswers, others] = [true, false].map((isOne) =>
    unused.filter(({ value }) => reading.ofAnswers.has(value) === isOne),
  );
  noteNames(`${says}, but for results and account numbers in answers`, holder, ofAnswers!, where, reading);
  noteNames(says, holder, others!, where, reading);
}

function noteNames(
  says: string,
  holder: Located | undefined,
  members: readonly { key: string }[],
  where: Where,
  { findings }: Reading,
): void {
  if (!holder || members.length === 0) return;
  const names = members.map(({ key }) => key).join(', ');
  findings.add('ignored', where, `${says}: ${names}`, holder.path);
}

/** Lists the members of an object that have no meaning here. */
export function noteOthers(
  holder: Located,
  known: readonly string[],
  where: Where,
  { findings }: Reading,
): void {
  for (const { key, path } of membersOf(holder)) {
    if (known.includes(key)) continue;
    const says = key.startsWith('x-') ? `the extension \`${key}\` is not read` : `\`${key}\` is not read`;
    findings.add('ignored', where, says, path);
  }
}

function noteServers(holder: Located, where: Where, { findings }: Reading): void {
  const servers = memberOf(holder, 'servers');
  if (!servers) return;
  const use = holder.path.length === 0 ? 'are only compared by `contract diff`' : 'are not read';
  const says = `servers ${use}, because the base URL is a setting: ${serversOf(holder).join(', ')}`;
  findings.add('ignored', where, says, servers.path);
}

function noteSecurity(security: Located | undefined, where: Where, { findings }: Reading): void {
  if (!security) return;
  const names = membersOf(security).flatMap((each) => membersOf(each).map(({ key }) => key));
  const says = `the security schemes are not applied, because authScheme is a setting: ${[...new Set(names)].join(', ') || 'nothing'}`;
  findings.add('ignored', where, says, security.path);
}

/** Headers that a document cannot describe (OpenAPI 3.0.3, "Parameter Object"). */
const OWN_HEADERS = new Set(['accept', 'content-type', 'authorization']);

/** The parameters of the path count for each of its operations, unless an operation describes them anew. */
function noteParameters(
  { endpoint, item, operation }: ReadOperation,
  own: string,
  where: Where,
  reading: Reading,
): void {
  const { findings } = reading;
  const described = new Map<string, { schema: Located | undefined; from: string }>();
  const noted = new Set<string>();
  for (const holder of [operation, item]) {
    for (const each of membersOf(memberOf(holder, 'parameters'))) {
      const parameter = usedAt(each, reading);
      const [name, place] = [memberOf(parameter, 'name')?.value, memberOf(parameter, 'in')?.value];
      const from = pointerOf(parameter.path);
      if (typeof name !== 'string' || typeof place !== 'string') {
        findings.add('not_understood', where, `a parameter of ${own} has no name or no place`, from);
        continue;
      }
      // The operation's own description comes first.
      if (noted.has(`${place} ${name}`)) continue;
      noted.add(`${place} ${name}`);
      noteOthers(parameter, PARAMETER_KEYS, where, reading);
      if (place === 'path' || (place === 'header' && OWN_HEADERS.has(name.toLowerCase()))) {
        notePathSchema(memberOf(parameter, 'schema'), `\`${name}\` of ${own}`, where, reading);
        continue;
      }
      if (place === 'query' && Object.hasOwn(endpoint.query ?? {}, name)) {
        described.set(name, { schema: memberOf(parameter, 'schema'), from });
        continue;
      }
      const isRequired = memberOf(parameter, 'required')?.value === true;
      if (isRequired) {
        const says = `the ${place} parameter \`${name}\` of ${own} is required and cannot be sent`;
        findings.addRefusal('not_understood', where, says, from);
      } else
        findings.add('ignored', where, `the ${place} parameter \`${name}\` of ${own} is never sent`, from);
    }
  }
  for (const name of Object.keys(endpoint.query ?? {})) {
    const found = described.get(name);
    if (!found) {
      const says = `has no query parameter \`${name}\`, which requests have`;
      findings.add('contradicts', where, says, operation.path);
      continue;
    }
    const schema = found.schema && usedAt(found.schema, reading);
    const type = schema && memberOf(schema, 'type')?.value;
    if (type !== undefined && ![type].flat().includes('boolean'))
      findings.add('contradicts', where, `the query parameter \`${name}\` is not true or false`, found.from);
    noteSchema(found.schema, where, reading);
  }
}

const PARAMETER_KEYS = [
  ...WORDS,
  'name',
  'in',
  'required',
  'schema',
  'deprecated',
  'style',
  'explode',
  'allowEmptyValue',
  'allowReserved',
];

/** Lists the keywords of a schema that says more than its type. */
function noteSchema(located: Located | undefined, where: Where, reading: Reading): void {
  const schema = located && usedAt(located, reading);
  if (!schema) return;
  noteOthers(schema, [...WORDS, 'type', 'format', 'default'], where, reading);
}

/** The body decides which account numbers and suppliers there are, so the path adds nothing. */
function notePathSchema(schema: Located | undefined, name: string, where: Where, reading: Reading): void {
  const known = new Set([...WORDS, 'type', 'format', 'default']);
  if (!schema || membersOf(resolve(schema, reading.document)).every(({ key }) => known.has(key))) return;
  const says = `the schema of the parameter ${name} is not read`;
  reading.findings.add('ignored', where, says, schema.path);
}
