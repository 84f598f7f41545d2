import { DEFAULT_ACCOUNT_NUMBER_FIELD } from '../../core/contract/account-number.ts';
import type { CalendarDate } from '../../core/values/calendar-date.ts';
import type { TextPosition } from '../../core/yaml/yaml-text.ts';
import { compareWithInterface } from './compare.ts';
import { typesOf } from '../../core/operator/resource-fields.ts';
import {
  ACCOUNT_ANSWERS,
  CONTRACT_VERSION,
  type OperatorContract,
  type Statement,
} from '../../core/operator/contract.ts';
import { Findings, pointerOf, type Finding } from '../../core/operator/finding.ts';
import { openDocument, serversOf } from './openapi/document.ts';
import { readOperations } from './openapi/operations.ts';
import type { Reading } from './openapi/reading.ts';
import { enforcementPhrase, isTurnedOnByContract } from '../../core/operator/enforcement.ts';

/** A document of an operator, as it was read from its file. */
export interface OperatorDocument {
  /** As it was typed. */
  readonly file: string;
  readonly text: string;
  /** Of its bytes, in hex digits. */
  readonly sha256: string;
}

/** A finding, and where it is in the file. */
export type LocatedFinding = Finding & TextPosition;

/** A contract, and everything that the import has to say about the document. */
export interface ImportedContract {
  readonly contract: OperatorContract;
  readonly findings: readonly LocatedFinding[];
  /** Names that were to be accepted and contradict nothing. */
  readonly unused: readonly string[];
  /** Codes that were to be turned off and that the document does not name, or that hold for every operator. */
  readonly unknownRules: readonly string[];
}

/** Most schemas that a document is read as, each as often as others refer to it. */
const MOST_SCHEMAS = 100_000;

/**
 * Makes a contract of an OpenAPI document. Nothing is fetched.
 * @param accept names of contradictions in which the document is followed
 * @param off codes of rules that are turned off
 * @throws AppError `operator_document_invalid`
 */
export function importContract(
  { file, text, sha256 }: OperatorDocument,
  { accept, off = [], today }: { accept: readonly string[]; off?: readonly string[]; today: CalendarDate },
): ImportedContract {
  const document = openDocument(file, text);
  const findings = new Findings();
  const reading: Reading = {
    document,
    findings,
    rules: new Map(),
    list: null,
    budget: { left: MOST_SCHEMAS },
  };
  const read = readOperations(reading);
  const used = new Set<string>();
  const resources = compareWithInterface(read, { findings, accept: new Set(accept), used });

  const answers = ACCOUNT_ANSWERS.flatMap((answer) => {
    const named = read.accountNumbers.get(answer);
    if (!named) return [];
    const where = { resource: null, type: null, field: answer };
    if (named.name !== DEFAULT_ACCOUNT_NUMBER_FIELD)
      findings.add('names', where, `has the account number as \`${named.name}\``, named.from);
    return [[answer, named] as const];
  });
  const rules = [...reading.rules.values()]
    .toSorted((a, b) => (a.code < b.code ? -1 : 1))
    .map((rule) => (off.includes(rule.code) ? { ...rule, off: true as const } : rule));
  const contract: OperatorContract = {
    version: CONTRACT_VERSION,
    document: {
      title: document.title,
      version: document.release,
      openapi: document.version,
      file: file.split(/[\\/]/).at(-1)!,
      sha256,
      imported: today,
    },
    accepted: [...used].toSorted(),
    account_number: Object.fromEntries(answers),
    resources,
    requests: Object.fromEntries(read.requests),
    ...(read.authorization && { authorization: read.authorization }),
    servers: serversOf(document.root),
    refusals: [],
    not_enforced: [],
    rules,
  };
  for (const rule of rules) {
    const words = rule.title === '' ? '' : `${rule.title} `;
    const says = `${words}(${enforcementPhrase(rule, contract)})`;
    findings.add('rules', { resource: null, type: null, field: rule.code }, says, rule.from);
  }

  const found = findings.all((resource) => [...typesOf(resource)]);
  const statements = (isOne: (finding: Finding) => unknown): Statement[] =>
    found.filter(isOne).map(({ resource, types, field, says, from }) => ({
      resource,
      ...(types.length > 0 && { types }),
      ...(field !== '' && { field }),
      says,
      from,
    }));
  // Paths are compared by themselves.
  const paths = new Set([...read.requests.values()].map(({ path }) => pointerOf(['paths', path])));
  return {
    contract: {
      ...contract,
      refusals: statements(({ failsAll }) => failsAll),
      not_enforced: statements(
        ({ kind, resource, failsAll, accepted, from }) =>
          (kind === 'contradicts' || kind === 'not_understood') &&
          resource !== null &&
          !failsAll &&
          !accepted &&
          !paths.has(from),
      ),
    },
    findings: found.map((finding) => ({ ...finding, ...document.positionOf(finding.from) })),
    unused: accept.filter((name) => !used.has(name)),
    unknownRules: off.filter((code) => !reading.rules.has(code) || !isTurnedOnByContract(code)),
  };
}

/** The text of contract.json. */
export function contractText(contract: OperatorContract): string {
  return `${JSON.stringify(contract, undefined, 2)}\n`;
}
