import { AppError } from '../../../core/app-error.ts';
import { RESOURCES, type Resource } from '../../../core/contract/resources.ts';
import { failure, type Path } from '../../../core/problem.ts';
import { readYaml, type YamlText } from '../../../core/yaml/yaml-text.ts';
import type { Mapping, UsedFile } from '../mapping.ts';
import { sourceFormatOf } from '../source-settings.ts';
import { documentChecks } from './document-checks.ts';
import { faultSentence, type MappingFault } from './fault.ts';
import { foreignFields, withoutForeignFields } from './included-fields.ts';
import { documentProblems } from './issues.ts';
import { lookupTables } from './lookup-tables.ts';
import { mergeParts, placeIn, type MappingPart } from './merge.ts';
import { MAPPING_SCHEMAS, type MappingDocument } from './mapping-schema.ts';
import { beside, reasonOf, textOf, type NamedFiles, type OpenFile } from './named-files.ts';

/** A mapping, unless something is wrong with it. */
export interface LoadedMapping {
  readonly mapping: Mapping | undefined;
  /** In the order of files and lines. */
  readonly faults: readonly MappingFault[];
}

/** Reads a mapping file and what belongs to it. Tells everything that is wrong at once. @throws AppError `file_not_readable` */
export async function loadMapping(name: string, open: OpenFile): Promise<LoadedMapping> {
  const files: UsedFile[] = [];
  const reading: Reading = { open, files, faults: [] };
  const main = await readPart(name, reading);
  const mapping = main && (await mappingOf(main, reading));
  const inOrder = reading.faults.toSorted(
    (a, b) => fileOrder(files, a) - fileOrder(files, b) || a.line - b.line || a.column - b.column,
  );
  return { mapping: inOrder.length === 0 ? mapping : undefined, faults: inOrder };
}

/** The mapping of a file that has to be right. @throws AppError `mapping_invalid`, `file_not_readable` */
export async function needMapping(name: string, open: OpenFile): Promise<Mapping> {
  const { mapping, faults } = await loadMapping(name, open);
  const [first] = faults;
  if (mapping) return mapping;
  if (!first) throw new TypeError('a mapping without faults has to be one');
  const { file, line, column } = first;
  throw new AppError('mapping_invalid', {
    mapping: name,
    count: faults.length,
    reason: faultSentence(first),
    file,
    line,
    column,
  });
}

interface Reading extends NamedFiles {
  readonly faults: MappingFault[];
}

interface RawPart {
  readonly name: string;
  readonly yaml: YamlText;
}

async function mappingOf(main: RawPart, reading: Reading): Promise<Mapping | undefined> {
  const resource = resourceOf(main, reading);
  if (!resource) return undefined;
  const own = checkedPart(main, MAPPING_SCHEMAS[resource].mapping, reading);
  const includes = await includedParts(main, resource, reading);
  if (!own || reading.faults.length > 0) return undefined;
  const parts = [own, ...includes];
  const document = { fields: {}, ...mergeParts(parts) } as unknown as MappingDocument;
  for (const problem of documentChecks(document)) {
    reading.faults.push({ problem, ...placeIn(parts, problem.path) });
  }
  const tables = await lookupTables(document, parts, reading);
  const format = sourceFormatOf(document.source);
  return { name: main.name, resource, format, document, tables, files: reading.files };
}

/** Which schema holds is decided first, so that what it objects to is about that resource. */
function resourceOf({ yaml }: RawPart, { faults }: Reading): Resource | undefined {
  const { resource } = isObject(yaml.value) ? yaml.value : {};
  if (RESOURCES.includes(resource as Resource)) return resource as Resource;
  const problem = !isObject(yaml.value)
    ? failure('mapping_value_invalid', [], { expected: 'an object with `version` and `resource`' })
    : resource === undefined
      ? failure('mapping_key_missing', ['resource'], { key: 'resource' })
      : failure('mapping_value_invalid', ['resource'], { expected: `one of ${RESOURCES.join(', ')}` });
  faults.push({ problem, ...yaml.positionOf(problem.path) });
  return undefined;
}

function checkedPart(
  { name, yaml }: RawPart,
  schema: (typeof MAPPING_SCHEMAS)[Resource]['mapping'],
  { faults }: Reading,
): MappingPart | undefined {
  const value = withEmptySections(yaml.value);
  const problems = documentProblems(schema, value);
  for (const { problem, what } of problems) faults.push({ problem, ...yaml.positionOf(problem.path, what) });
  if (problems.length > 0) return undefined;
  return { name, yaml, value: schema.parse(value) as Readonly<Record<string, unknown>> };
}

/** A section that holds comments only is one with nothing in it, as a draft has them before its questions are answered. */
function withEmptySections(value: unknown): unknown {
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, section]) => [
      key,
      (key === 'source' || key === 'fields') && section === '' ? {} : section,
    ]),
  );
}

/** Later ones win over earlier ones, and the including file over all: it comes first in a list of parts. */
async function includedParts(
  main: RawPart,
  resource: Resource,
  reading: Reading,
): Promise<readonly MappingPart[]> {
  const { include } = main.yaml.value as { include?: unknown };
  if (!Array.isArray(include)) return [];
  const parts: MappingPart[] = [];
  for (const [index, typed] of include.entries()) {
    if (typeof typed !== 'string' || typed === '') continue;
    const at: Path = ['include', index];
    const part = await readPart(beside(main.name, typed), reading, { main, at });
    if (!part) continue;
    for (const problem of foreignFields(part.yaml.value))
      reading.faults.push({ problem, ...part.yaml.positionOf(problem.path, 'key') });
    const yaml = { ...part.yaml, value: withoutForeignFields(part.yaml.value, resource) };
    const checked = checkedPart({ ...part, yaml }, MAPPING_SCHEMAS[resource].included, reading);
    if (checked) parts.unshift(checked);
  }
  return parts;
}

/** Reads one YAML file; what cannot be read is a fault of the place that names it. */
async function readPart(
  name: string,
  reading: Reading,
  named?: { readonly main: RawPart; readonly at: Path },
): Promise<RawPart | undefined> {
  const text = await textOf(name, reading).catch((error: unknown) => {
    if (!named || !(error instanceof AppError)) throw error;
    reading.faults.push({
      problem: failure('mapping_file_unreadable', named.at, { path: name, reason: reasonOf(error) }),
      ...named.main.yaml.positionOf(named.at),
    });
  });
  if (text === undefined) return undefined;
  const { yaml, problems } = readYaml({ file: name, text, schema: 'failsafe' });
  if (yaml) return { name, yaml };
  for (const { reason, ...position } of problems)
    reading.faults.push({ problem: failure('mapping_not_yaml', [], { reason }), ...position });
  return undefined;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function fileOrder(files: readonly UsedFile[], { file }: MappingFault): number {
  return files.findIndex(({ name }) => name === file);
}
