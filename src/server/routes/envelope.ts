import type { AccountKey } from '../../core/contract/account.ts';
import type { Resource } from '../../core/contract/resources.ts';
import { trimmed } from '../../core/operator/trimmed.ts';
import { failure, NON_FIELD, type Path, type Problem } from '../../core/problem.ts';
import { problemsOfIssues } from '../../core/rules/schema-problems.ts';
import { Refusal, validationFailure } from '../http/answer.ts';
import type { Platform } from '../platform/platform.ts';
import { listedPartOf } from '../platform/unlisted-fields.ts';

/** The content of a POST: the account, and the records as they were sent. */
export interface Envelope extends AccountKey {
  readonly candidates: readonly unknown[];
  /**
   * Whether the request asks to validate and to store nothing (deployments.md, "Fields that occur in deployments"), with
   * `--behaviour lenient` or by the contract of the operator.
   */
  readonly isDryRun: boolean;
  /** Unlisted fields beside the records, which `--behaviour lenient` drops. */
  readonly ignored: readonly Path[];
}

/**
 * Reads the fields around the records.
 * @param bodyProblems problems of a body as it was sent, by rules of the operator
 * @throws Refusal 400 in the format of interface.md 7.1
 */
export function readEnvelope(
  resource: Resource,
  body: unknown,
  platform: Platform,
  bodyProblems?: (body: Fields, platform: Platform) => readonly Problem[],
): Envelope {
  if (!isJsonObject(body)) {
    throw new Refusal(validationFailure([failure('invalid', [NON_FIELD], { expected: 'an object' })]));
  }
  const { endpoint, list, maxRecords = Infinity, dryRun, trims } = platform.descriptors[resource];
  const most = Math.min(platform.behaviour.maxItems, maxRecords);
  const problemsIn = (value: unknown): readonly Problem[] => {
    const parsed = endpoint.request.safeParse(value);
    return parsed.success ? [] : problemsOfIssues(parsed.error.issues, value);
  };
  refuse(bodyProblems?.(body, platform) ?? []);
  const strictly = problemsIn(body);
  const listed = listedPartOf(body, strictly, platform);
  refuse(listed ? problemsIn(listed.value) : strictly);
  // The schema has accepted both fields.
  const { import_supplier, external_account_number, ...others } = (listed?.value ?? body) as Fields &
    AccountKey;
  const { dry_run: asked, ...withoutDryRun } = others;
  const rest = dryRun === undefined ? others : withoutDryRun;
  const sent = list === null ? [rest] : (rest[list] as readonly unknown[]);
  const candidates = trims ? sent.map(trimmed) : sent;
  if (candidates.length > most) {
    const limit = `${most} item${most === 1 ? '' : 's'}`;
    refuse([failure('max_length', list === null ? [] : [list], { limit })]);
  }
  const isDryRun = (dryRun !== undefined && asked === true) || asksForDryRun(body, platform);
  return { import_supplier, external_account_number, candidates, isDryRun, ignored: listed?.ignored ?? [] };
}

/**
 * With `--behaviour lenient` the server drops unlisted fields. It still obeys `dry_run`, because a client that sends it expects that nothing
 * is stored.
 */
function asksForDryRun({ dry_run: asked = false }: Fields, { behaviour }: Platform): boolean {
  if (!behaviour.lenient) return false;
  if (typeof asked !== 'boolean') refuse([failure('invalid', ['dry_run'], { expected: 'true or false' })]);
  return asked === true;
}

function refuse(problems: readonly Problem[]): void {
  if (problems.length > 0) throw new Refusal(validationFailure(problems));
}

export type Fields = Readonly<Record<string, unknown>>;

/** A JSON object. A parsed number is an instance of a class, so its prototype differs. */
export function isJsonObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
