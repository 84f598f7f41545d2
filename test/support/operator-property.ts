import type { Resource } from '../../src/core/contract/resources.ts';
import { RULE_CODES } from '../../src/core/error-codes/platform-codes.ts';
import { readContract } from '../../src/core/operator/contract-file.ts';
import { narrowedDescriptors } from '../../src/core/operator/narrow.ts';
import { checkRecord } from '../../src/core/rules/record.ts';
import { parseExactJson } from '../../src/core/values/exact-json.ts';
import { operatorFile, type OperatorDocumentNames } from './operator-document.ts';
import { operatorOracle, type OperatorOracle } from './operator-oracle.ts';

/** Why a record shows that a contract is not the document; both are empty when it shows nothing. */
export interface Judgement {
  /** Whether `check --contract` passes the record. */
  readonly isPassed: boolean;
  /** The document refuses a record that `check --contract` passes. */
  readonly check: readonly string[];
  /** `serve --contract` refuses another record than the document. */
  readonly serve: readonly string[];
}

/** Judges records by a document, with the validator of the oracle, and by the contract that was imported from it. */
export interface OperatorJudge {
  readonly oracle: OperatorOracle;
  judge(resource: Resource, candidate: unknown): Judgement;
}

export function operatorJudge(
  [folder, name, contractName]: OperatorDocumentNames,
  today: string,
): OperatorJudge {
  const oracle = operatorOracle(folder, name);
  const contract = readContract(contractName, operatorFile(folder, contractName));
  const [file, wire] = [narrowedDescriptors(contract, 'file'), narrowedDescriptors(contract, 'wire')];
  return {
    oracle,
    judge(resource, candidate) {
      const { record: checked } = checkRecord(resource, candidate, { today, descriptors: file });
      // The form of a request: as the check of the file would send it, or as it is.
      const text = JSON.stringify(checked ?? candidate);
      const refused = oracle.refusals(resource, JSON.parse(text) as Readonly<Record<string, unknown>>);
      const served = checkRecord(resource, parseExactJson(text), { today, descriptors: wire });
      const stricter = served.problems.filter(
        ({ severity, code }) => severity === 'error' && !mayBeStricter(code),
      );
      return {
        isPassed: checked !== undefined,
        check: checked === undefined ? [] : refused.map((says) => `${says}: ${text}`),
        serve: served.record
          ? refused.map((says) => `${says}: ${text}`)
          : refused.length > 0
            ? []
            : stricter.map(({ code, path }) => `${code} ${path.join('.')}: ${text}`),
      };
    },
  };
}

/** What the interface forbids although an operator would take it, and rules between fields, which no schema can say. */
const STRICTER: ReadonlySet<string> = new Set([
  'blank',
  'invalid',
  'max_decimal_places',
  'max_whole_digits',
  'min_value',
  'null',
  'required',
]);

function mayBeStricter(code: string): boolean {
  return STRICTER.has(code) || Object.hasOwn(RULE_CODES, code);
}
