import { mappingBeside } from '../../files/data-files.ts';
import { AppError } from '../../core/app-error.ts';
import { NOTHING } from '../csv/byte-encoding.ts';
import { readSource } from '../csv/read-source.ts';
import type { SourceFile } from '../csv/source-file.ts';
import { otherResourceOf, planByHeader } from '../mapping/compile/plan-by-header.ts';
import {
  supplierMissing,
  type MappedSource,
  type MappingChoice,
  type MappingPorts,
} from './mapping-choice.ts';

/** Maps each source by the file of --map, else by the mapping file beside it, else by its headers, which are the contract's own then. */
export async function mappedSources(
  sources: readonly SourceFile[],
  choice: MappingChoice,
  ports: MappingPorts,
): Promise<readonly MappedSource[]> {
  const bySource = sources.map((source) => choice.map ?? mappingBeside(source.name, ports.cwd));
  const byName = new Map<string, (source: SourceFile) => MappedSource>();
  for (const name of new Set(bySource.filter((found) => found !== undefined))) {
    // The language of mappings takes a tenth of a start, so it is loaded only where a file is mapped.
    const { mappedByFile } = await import('./mapped-by-file.ts');
    const names = sources.filter((_, index) => bySource[index] === name).map((source) => source.name);
    byName.set(name, await mappedByFile(name, names, choice, ports));
  }
  return sources.map((source, index) => {
    const name = bySource[index];
    return name === undefined ? mappedByHeader(source, choice) : byName.get(name)!(source);
  });
}

function mappedByHeader(
  source: SourceFile,
  { resource, supplier, descriptors }: MappingChoice,
): MappedSource {
  return {
    name: source.name,
    mappedBy: null,
    endOfRejects: NOTHING,
    items: readSource(source),
    share: () => source.share(),
    mapping(header, elements) {
      const isKeyed = elements !== undefined;
      const found = isKeyed ? undefined : otherResourceOf(header, resource, descriptors);
      if (found !== undefined)
        throw new AppError('usage', {
          reason: `${source.name} has the columns of ${found}, and the command names ${resource}`,
          todo: `Type ${found} in place of ${resource}. If the rows are ${resource}, say in a mapping file which column is which: \`dataimport init\` drafts one.`,
        });
      const result = planByHeader(resource, header, supplier, { descriptors, isKeyed });
      const errors = result.problems.filter(({ problem: { severity } }) => severity === 'error');
      if (errors.length === 1 && errors[0]!.problem.facts['field'] === 'import_supplier')
        throw supplierMissing(`a column \`import_supplier\` of ${source.name}`);
      return result;
    },
    usedFiles: [],
  };
}
