import { AppError } from '../../../core/app-error.ts';
import { DESCRIPTORS, RESOURCES, type Descriptors, type Resource } from '../../../core/contract/resources.ts';
import { failure, type Path } from '../../../core/problem.ts';
import { readYaml, type TextPosition, type YamlText } from '../../../core/yaml/yaml-text.ts';
import type { OpenFile } from '../../csv/source-file.ts';
import { columnNames } from '../language/column-names.ts';
import { recordShape } from '../language/fields.ts';
import { mappingSchemas, type Mapping, type MappingDocument } from '../language/mapping.ts';
import { sourceFormatOf } from '../language/source.ts';
import { documentProblems } from './document-checks.ts';
import { mappingSentence, type MappingProblem } from './mapping-problem.ts';
import {
  isObject,
  mergeParts,
  positionIn,
  unknownFields,
  withoutForeignFields,
  type MappingPart,
} from './includes.ts';
import { lookupTables } from './lookup-tables.ts';
import { beside, reasonOf, textOf, type MappingFiles } from './mapping-files.ts';
import { schemaProblems } from './schema-issues.ts';

/** A mapping, unless it has problems. */
export interface LoadedMapping {
  readonly mapping: Mapping | undefined;
  /** In the order of files and lines. */
  readonly problems: readonly MappingProblem[];
}

/**
 * Reads a mapping file and the files that it names. Reports all problems at once.
 * @param descriptors which fields there are; those of the interface by default
 * @throws AppError `file_not_readable`
 */
export async function loadMapping(
  name: string,
  open: OpenFile,
  descriptors: Descriptors = DESCRIPTORS,
): Promise<LoadedMapping> {
  const loading: MappingFiles = { open, files: [], problems: [] };
  const main = await readPart(name, loading);
  const mapping = main && (await mappingOf(main, loading, descriptors));
  const order = loading.files.map((file) => file.name);
  const problems = loading.problems.toSorted(
    (a, b) => order.indexOf(a.file) - order.indexOf(b.file) || a.line - b.line || a.column - b.column,
  );
  return { mapping: problems.length === 0 ? mapping : undefined, problems };
}

/** The mapping of a file that has to be right. @throws AppError `mapping_invalid`, `file_not_readable` */
export async function needMapping(name: string, open: OpenFile, descriptors?: Descriptors): Promise<Mapping> {
  const { mapping, problems } = await loadMapping(name, open, descriptors);
  if (mapping) return mapping;
  const [first] = problems;
  if (!first) throw new TypeError('a mapping is missing although it has no problem');
  const { file, line, column } = first;
  throw new AppError('mapping_invalid', {
    mapping: name,
    count: problems.length,
    reason: mappingSentence(first),
    file,
    line,
    column,
  });
}

type RawPart = { readonly name: string; readonly yaml: YamlText };

async function mappingOf(
  main: RawPart,
  loading: MappingFiles,
  descriptors: Descriptors,
): Promise<Mapping | undefined> {
  const resource = resourceOf(main, loading);
  if (!resource) return undefined;
  const own = checkedPart(main, mappingSchemas(resource, descriptors).mapping, loading);
  const includes = await includedParts(main, { resource, descriptors }, loading);
  if (!own || loading.problems.length > 0) return undefined;
  const parts = [own, ...includes];
  const shape = recordShape(resource, descriptors);
  const document = { fields: {}, ...mergeParts(parts), shape } as unknown as MappingDocument;
  for (const problem of documentProblems(document))
    loading.problems.push({ problem, ...positionIn(parts, problem.path) });
  const { tables, warnings } = await lookupTables(document, parts, loading);
  const format = sourceFormatOf(document.source, columnNames(document));
  const positionOf = (path: Path): TextPosition => positionIn(parts, path);
  return { name: main.name, resource, format, document, tables, warnings, positionOf, files: loading.files };
}

/** Decides first which schema applies, so that its problems are about that resource. */
function resourceOf({ yaml }: RawPart, { problems }: MappingFiles): Resource | undefined {
  const { resource } = isObject(yaml.value) ? yaml.value : {};
  if (RESOURCES.includes(resource as Resource)) return resource as Resource;
  const problem = !isObject(yaml.value)
    ? failure('mapping_value_invalid', [], { expected: 'an object with `version` and `resource`' })
    : resource === undefined
      ? failure('mapping_key_missing', ['resource'], { key: 'resource' })
      : failure('mapping_value_invalid', ['resource'], { expected: `one of ${RESOURCES.join(', ')}` });
  problems.push({ problem, ...yaml.positionOf(problem.path) });
  return undefined;
}

function checkedPart(
  { name, yaml }: RawPart,
  schema: ReturnType<typeof mappingSchemas>['mapping'],
  loading: MappingFiles,
): MappingPart | undefined {
  const value = withEmptySections(yaml.value);
  const problems = schemaProblems(schema, value);
  for (const { problem, at } of problems)
    loading.problems.push({ problem, ...yaml.positionOf(problem.path, at) });
  if (problems.length > 0) return undefined;
  return { name, yaml, value: schema.parse(value) as Readonly<Record<string, unknown>> };
}

/** Reads a section that has only comments as an empty section. A draft has such sections before its questions are answered. */
function withEmptySections(value: unknown): unknown {
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, section]) => [
      key,
      (key === 'source' || key === 'fields') && section === '' ? {} : section,
    ]),
  );
}

/** The included files, the last one first, because it wins over those before it. */
async function includedParts(
  main: RawPart,
  { resource, descriptors }: { resource: Resource; descriptors: Descriptors },
  loading: MappingFiles,
): Promise<readonly MappingPart[]> {
  const { include } = main.yaml.value as { include?: unknown };
  if (!Array.isArray(include)) return [];
  const parts: MappingPart[] = [];
  for (const [index, typed] of include.entries()) {
    if (typeof typed !== 'string' || typed === '') continue;
    const path: Path = ['include', index];
    const part = await readPart(beside(main.name, typed), loading, { main, path });
    if (!part) continue;
    for (const problem of unknownFields(part.yaml.value, descriptors))
      loading.problems.push({ problem, ...part.yaml.positionOf(problem.path, 'key') });
    const yaml = { ...part.yaml, value: withoutForeignFields(part.yaml.value, resource, descriptors) };
    const checked = checkedPart({ ...part, yaml }, mappingSchemas(resource, descriptors).included, loading);
    if (checked) parts.unshift(checked);
  }
  return parts;
}

/** Reads one YAML file. The problem of a file that cannot be read is reported where the main file names it. */
async function readPart(
  name: string,
  loading: MappingFiles,
  named?: { main: RawPart; path: Path },
): Promise<RawPart | undefined> {
  const { problems } = loading;
  const text = await textOf(name, loading).catch((error: unknown) => {
    if (!named || !(error instanceof AppError)) throw error;
    const { main, path } = named;
    const problem = failure('mapping_file_unreadable', path, { path: name, reason: reasonOf(error) });
    problems.push({ problem, ...main.yaml.positionOf(path) });
  });
  if (text === undefined) return undefined;
  const { yaml, problems: unreadable } = readYaml({ file: name, text, schema: 'failsafe' });
  if (yaml) return { name, yaml };
  for (const { reason, ...position } of unreadable)
    problems.push({ problem: failure('mapping_not_yaml', [], { reason }), ...position });
  return undefined;
}
