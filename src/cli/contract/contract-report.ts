import { RESOURCES } from '../../core/contract/resources.ts';
import type { OperatorContract, Statement } from '../../core/operator/contract.ts';
import { enforcementOf } from '../../core/operator/rules-by-code.ts';
import type { TextPosition } from '../../core/yaml/yaml-text.ts';
import type { Result } from '../output/result.ts';
import { nameOf } from './finding.ts';

/** A sentence about a contract, and where it is in the file of the document, if that is known. */
export type ReportLine = Statement & Partial<TextPosition>;

/** Sentences below their titles. A title without any is left out. */
export const sections = (
  all: readonly (readonly [title: string, lines: readonly ReportLine[]])[],
): string[] => all.flatMap(([title, lines]) => (lines.length === 0 ? [] : ['', title, ...lines.map(lineOf)]));

/** The place, what it is about, the sentence, and the JSON pointer. */
function lineOf(each: ReportLine): string {
  const { file, line, column, says, from } = each;
  const [place, name] = [file === undefined ? '' : `${file}:${line}:${column} `, nameOf(each)];
  return `  ${place}${name && `${name}: `}${says} [${from || '/'}]`;
}

/** Everything that a contract says, by resource. @param name of its file */
export function contractReport(name: string, contract: OperatorContract, all: readonly ReportLine[]): Result {
  const { document, account_number } = contract;
  const told = all.map((each) => ({ name: nameOf(each), ...each }));
  const {
    rules = [],
    unenforced = [],
    demands = [],
  } = Object.groupBy(told, (each) =>
    each.kind === 'rules'
      ? 'rules'
      : each.kind === 'not_understood' && each.resource !== null && !each.refuses_all
        ? 'unenforced'
        : 'demands',
  );
  return {
    fields: {
      contract: name,
      document,
      account_number,
      demands,
      rules: contract.rules.map((rule) => ({ ...rule, enforced: enforcementOf(rule) })),
      not_enforced: unenforced,
    },
    text: () => [
      `${document.title} ${document.version} (OpenAPI ${document.openapi}), imported from ${document.file} on ${document.imported}`,
      ...sections([
        ...[...RESOURCES, null].map(
          (resource) =>
            [resource ?? 'all requests', demands.filter((each) => each.resource === resource)] as const,
        ),
        ['rules', rules],
        ['NOT ENFORCED by check and serve: only the platform refuses a record that breaks it', unenforced],
        ['Such pushes would fail because of this: ask the operator', told.filter((each) => each.refuses_all)],
      ]),
    ],
  };
}
