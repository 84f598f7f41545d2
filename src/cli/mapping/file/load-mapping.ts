import { AppError } from '../../../core/app-error.ts';
import { DESCRIPTORS, RESOURCES, type Descriptors, type Resource } from '../../../core/contract/resources.ts';
import { failure } from '../../../core/problem.ts';
import { readYaml, type YamlText } from '../../../core/yaml/yaml-text.ts';
import type { OpenFile } from '../../csv/source-file.ts';
import { columnNames } from '../language/column-names.ts';
import { recordShape } from '../language/fields.ts';
import { mappingSchema, type Mapping, type MappingDocument } from '../language/mapping.ts';
import { sourceFormatOf } from '../language/source.ts';
import { documentProblems } from './document-checks.ts';
import { askedProblem, mappingSentence, type MappingProblem } from './mapping-problem.ts';
import { lookupTables } from './lookup-tables.ts';
import { textOf, type MappingFiles } from './mapping-files.ts';
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
  const text = await textOf(name, loading);
  const yaml = yamlOf(name, text, loading);
  const mapping = yaml && (await mappingOf(yaml, text, loading, descriptors));
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

async function mappingOf(
  yaml: YamlText,
  text: string,
  loading: MappingFiles,
  descriptors: Descriptors,
): Promise<Mapping | undefined> {
  const resource = resourceOf(yaml, loading);
  if (!resource) return undefined;
  const value = withEmptySections(yaml.value);
  const schema = mappingSchema(resource, descriptors);
  const found = schemaProblems(schema, value);
  for (const { problem, at } of found)
    loading.problems.push(askedProblem({ problem, ...yaml.positionOf(problem.path, at) }, text));
  if (found.length > 0) return undefined;
  const shape = recordShape(resource, descriptors);
  const document = { fields: {}, ...schema.parse(value), shape } as unknown as MappingDocument;
  for (const problem of documentProblems(document))
    loading.problems.push({ problem, ...yaml.positionOf(problem.path) });
  const tables = await lookupTables(document, yaml, loading);
  const format = sourceFormatOf(document.source, columnNames(document));
  const { file: name, positionOf } = yaml;
  return { name, resource, format, document, tables, positionOf, files: loading.files };
}

/** Decides first which schema applies, so that its problems are about that resource. */
function resourceOf(yaml: YamlText, { problems }: MappingFiles): Resource | undefined {
  const { resource } = isObject(yaml.value) ? yaml.value : {};
  if (RESOURCES.includes(resource as Resource)) return resource as Resource;
  const problem = !isObject(yaml.value)
    ? failure('mapping_value_invalid', [], { expected: 'an object with `version` and `resource`' })
    : resource === undefined
      ? failure('mapping_key_missing', ['resource'], { needed: 'to be given' })
      : failure('mapping_value_invalid', ['resource'], { expected: `one of ${RESOURCES.join(', ')}` });
  problems.push({ problem, ...yaml.positionOf(problem.path) });
  return undefined;
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

/** The YAML of a mapping file; undefined when it is none. */
function yamlOf(file: string, text: string, { problems }: MappingFiles): YamlText | undefined {
  const { yaml, problems: unreadable = [] } = readYaml({ file, text, schema: 'failsafe' });
  for (const { reason, ...position } of unreadable)
    problems.push({
      problem: failure('mapping_value_invalid', [], { expected: `readable YAML: ${reason}` }),
      ...position,
    });
  return yaml;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
