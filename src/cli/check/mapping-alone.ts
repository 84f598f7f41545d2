import { nextStepOf, sentenceOf } from '../../core/error-codes/sentence.ts';
import { attrOfPath } from '../../core/problem.ts';
import type { CommandContext, CommandEnd } from '../command/command.ts';
import type { MappingProblem } from '../mapping/file/mapping-problem.ts';
import { loadMapping } from '../mapping/file/load-mapping.ts';
import { querySpecOf } from '../mapping/language/source.ts';
import { shownAs } from '../output/formats/result-formats.ts';
import { exitDocument } from '../output/json.ts';
import { problemLine, type ReportedProblem } from '../output/text/problem-line.ts';
import { counted, escapeControl } from '../output/text/text.ts';
import { appliedContract } from '../sources/applied-contract.ts';
import { openerIn } from '../sources/mapped-by-file.ts';
import type { Resource } from '../../core/contract/resources.ts';

/**
 * Lists every problem of a mapping file. A mapping with a query names the files of its rows: its resource is returned, so that the rows are
 * checked, too.
 */
export async function mappingAlone(
  name: string,
  context: CommandContext,
): Promise<CommandEnd | { readonly queried: Resource }> {
  const { cwd } = context.io;
  const contract = await appliedContract(await context.settings(), cwd);
  const { mapping, problems } = await loadMapping(name, openerIn(cwd), contract?.descriptors);
  const query = mapping && querySpecOf(mapping.document.source);
  if (query) return { queried: mapping.resource };
  return {
    exit: problems.length === 0 ? 'OK' : 'USAGE',
    result: shownMapping({
      mapping: name,
      resource: mapping?.resource ?? null,
      problems: problems.map(reported),
    }),
  };
}

function reported({ file, line, column, problem }: MappingProblem): CheckedProblem {
  const { code, severity, path, facts } = problem;
  const place = { file, line, column, attr: attrOfPath(path) };
  return { code, severity, ...place, detail: sentenceOf(code, facts), next: nextStepOf(code, facts) };
}

/** A problem, and what to do about it. */
type CheckedProblem = ReportedProblem & { readonly next: string };

interface CheckedMapping {
  readonly mapping: string;
  /** Null when the mapping cannot be used. */
  readonly resource: Resource | null;
  readonly problems: readonly CheckedProblem[];
}

const shownMapping = shownAs<CheckedMapping>({
  document: (checked, exit) => ({ version: 1, exit: exitDocument(exit), ...checked }),
  text: ({ mapping, problems }, { paint }) => {
    const result =
      problems.length === 0
        ? `${escapeControl(mapping)} is a valid mapping`
        : counted(problems.length, 'problem');
    const steps = [...new Set(problems.map(({ next }) => `next: ${escapeControl(next)}`))];
    const lines = problems.map((problem) => problemLine(problem, paint('stdout')));
    return [...lines, result, ...steps, ''].join('\n');
  },
});
