import { RESOURCES } from '../../core/contract/resources.ts';
import type { OperatorContract, Statement } from '../../core/operator/contract.ts';
import { enforcementOf } from '../../core/operator/rules-by-code.ts';
import type { TextPosition } from '../../core/yaml/yaml-text.ts';
import type { Result } from '../output/result.ts';
import { lineOf, nameOf } from './finding.ts';

/** A sentence about a contract, and where it is in the file of the document, if that is known. */
export type ReportLine = Statement & Partial<TextPosition>;

/** Everything that a contract says, by resource. @param name of its file */
export function contractReport(name: string, contract: OperatorContract, all: readonly ReportLine[]): Result {
  const { document, account_number } = contract;
  const told = all.filter(({ kind }) => kind !== 'needs' && kind !== 'says');
  const rules = told.filter(({ kind }) => kind === 'rules');
  const unenforced = told.filter(
    ({ kind, resource, refuses_all }) => kind === 'not_understood' && resource !== null && !refuses_all,
  );
  const demands = told.filter((each) => !rules.includes(each) && !unenforced.includes(each));
  const sections: readonly (readonly [title: string, lines: readonly ReportLine[]])[] = [
    ...[...RESOURCES, null].map(
      (resource) =>
        [resource ?? 'all requests', demands.filter((each) => each.resource === resource)] as const,
    ),
    ['rules', rules],
    ['NOT ENFORCED by check and serve: only the platform refuses a record that breaks it', unenforced],
    ['Every push would fail because of this: ask the operator', told.filter((each) => each.refuses_all)],
  ];
  return {
    fields: {
      contract: name,
      document,
      account_number,
      demands: demands.map((each) => ({ name: nameOf(each), ...each })),
      rules: contract.rules.map((rule) => ({ ...rule, enforced: enforcementOf(rule) })),
      not_enforced: unenforced.map((each) => ({ name: nameOf(each), ...each })),
    },
    text: () => [
      `${document.title} ${document.version} (OpenAPI ${document.openapi}), imported from ${document.file} on ${document.imported}`,
      ...sections.flatMap(([title, lines]) =>
        lines.length === 0
          ? []
          : ['', title, ...lines.map((each) => `  ${placeOf(each)}${lineOf(each, each.from)}`)],
      ),
    ],
  };
}

const placeOf = ({ file, line, column }: ReportLine): string =>
  file === undefined ? '' : `${file}:${line}:${column} `;
