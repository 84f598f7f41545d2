import { AppError } from '../../core/app-error.ts';
import type { Descriptors, Resource } from '../../core/contract/resources.ts';
import type { MappingPorts } from '../sources/mapping-choice.ts';
import { openSourceFile } from '../csv/source-file.ts';
import { cellCountProblem, eachItem } from '../csv/source-row.ts';
import type { Example } from '../inspect/like/example-rows.ts';
import type { CellProblem, MappingPlan } from '../mapping/mapping-plan.ts';
import { mappedSources } from '../sources/mapped-source.ts';

/**
 * Reads the records of a file of examples. Its headers are the names of the interface, unless a mapping is beside it.
 * @throws AppError with the code of what cannot be read; `usage` for a file without records
 */
export async function readExamples(
  file: string,
  choice: { resource: Resource; descriptors: Descriptors | undefined },
  ports: MappingPorts,
): Promise<readonly Example[]> {
  const source = await openSourceFile(file, ports.cwd);
  ports.onClose(() => source.close());
  const [mapped] = await mappedSources([source], { ...choice, supplier: undefined }, ports);
  const examples: Example[] = [];
  let plan: MappingPlan | undefined;
  let header: readonly string[] = [];
  for await (const item of eachItem(mapped!.items)) {
    if (item.kind === 'unreadable' || item.kind === 'broken') {
      const line = item.kind === 'broken' ? item.row.firstLine : item.line;
      throw new AppError(item.problem.code, { ...item.problem.facts, file, line });
    }
    if (item.kind === 'header') {
      const tied = mapped!.mapping(item.names, item.elements);
      // A record would arrive without what somebody has written down.
      const unknown = tied.problems.find(({ problem }) => problem.code === 'header_unknown')?.problem;
      if (unknown) {
        const own = unknown.severity === 'warning' && { suggestion: '' };
        throw new AppError(unknown.code, { ...unknown.facts, ...own, file, line: item.line });
      }
      // Examples may leave the supplier to --supplier, and fields that the person does not know.
      refuseErrors(
        tied.problems.filter(({ problem }) => problem.code !== 'column_missing'),
        item.line,
      );
      ({ plan } = tied);
      header = item.names;
    }
    if (item.kind !== 'row' || !plan) continue;
    const line = item.row.firstLine;
    const ragged = cellCountProblem(item.row, header);
    const { account, record, problems } = plan.candidateOf([item.row], true);
    refuseErrors([...(ragged ? [{ problem: ragged }] : []), ...problems], line);
    examples.push({ line, values: { ...account, ...(record as object) } });
  }
  if (examples.length === 0)
    throw new AppError('usage', { reason: `${file} has no example`, command: 'map init' });
  return examples;

  function refuseErrors(problems: readonly Pick<CellProblem, 'problem'>[], line: number): void {
    const first = problems.find(({ problem }) => problem.severity === 'error')?.problem;
    if (first) throw new AppError(first.code, { ...first.facts, file, line });
  }
}
