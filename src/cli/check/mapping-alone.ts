import { nextStepOf, sentenceOf } from '../../core/error-codes/sentence.ts';
import { attrOfPath } from '../../core/problem.ts';
import type { CommandContext, CommandEnd } from '../command/command.ts';
import type { MappingProblem } from '../mapping/file/mapping-problem.ts';
import { loadMapping } from '../mapping/file/load-mapping.ts';
import { querySpecOf } from '../mapping/language/source.ts';
import { problemLine, type ReportedProblem } from '../output/text/problem-line.ts';
import { counted } from '../output/text/text.ts';
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
  const all = problems.map(reported);
  const sentence = all.length === 0 ? `${name} is a valid mapping` : counted(all.length, 'problem');
  return {
    exit: all.length === 0 ? 'OK' : 'USAGE',
    result: {
      // Null when the mapping cannot be used.
      fields: { mapping: name, resource: mapping?.resource ?? null },
      problems: all,
      next: [...new Set(all.map(({ next }) => next))],
      text: () => [
        { lines: (paint) => all.map((problem) => `${problemLine(problem, paint)}\n`).join('') },
        sentence,
      ],
    },
  };
}

/** A problem, and what to do about it. */
function reported({
  file,
  line,
  column,
  problem,
}: MappingProblem): ReportedProblem & { readonly next: string } {
  const { code, severity, path, facts } = problem;
  const place = { file, line, column, attr: attrOfPath(path) };
  return { code, severity, ...place, detail: sentenceOf(code, facts), next: nextStepOf(code, facts) };
}
