import { DESCRIPTORS, RESOURCES } from '../../core/contract/resources.ts';
import type { ErrorCode } from '../../core/error-codes/table.ts';
import { decodeError, type PlatformProblem } from '../../core/validation-error.ts';
import { isJsonObject, plainJson, type JsonObject } from '../../core/values/plain-json.ts';
import {
  BEHAVIOUR_CHOICES,
  BEHAVIOUR_DEFAULTS,
  EXTRA_RULES,
  type Behaviour,
  type BehaviourChoices,
  type ExtraRule,
} from '../../server/options/behaviour.ts';
import type { EndpointName, Exchange } from '../recording/exchange.ts';
import { tokenLifeIn } from '../recording/pace.ts';
import type { Recording } from '../recording/recording.ts';
import { FLAG_OF } from './behaviour-flags.ts';
import type { Difference } from './differences.ts';
import type { TwinOptions } from './twin.ts';

/** A flag of `serve` with its value. */
export interface Switch extends Change {
  /** Its name; with the value, where it may be given several times. */
  readonly flag: string;
  /** As it is typed. */
  readonly text: string;
  /** The rule that it changes. */
  readonly rule: string;
}

/** How a flag changes the start of the twin. */
interface Change {
  readonly behaviour?: Partial<Behaviour>;
  readonly tokenTtlSeconds?: number;
  readonly limits?: TwinOptions['limits'];
}

/** A difference that a flag could remove. */
interface Place {
  readonly kind: Difference['kind'];
  readonly endpoint: EndpointName;
  readonly exchange: Exchange;
}

/** The flags of `serve` to which a difference points. The twin shows whether one of them removes it. */
export function* shownSwitches(
  { kind, endpoint, exchange: { status: ours, path } }: Place,
  { exchanges }: Recording,
  { behaviour }: TwinOptions,
): Generator<Switch> {
  if (kind === 'token life') {
    const tokenTtlSeconds = tokenLifeIn(exchanges);
    yield switchOf('--token-ttl', `${tokenTtlSeconds}s`, 'token-life', { tokenTtlSeconds });
  }
  for (const name of Object.keys(RULE_OF) as (keyof BehaviourChoices)[])
    for (const value of BEHAVIOUR_CHOICES[name]) {
      const isOther = value !== (behaviour[name] ?? BEHAVIOUR_DEFAULTS[name]);
      const isRefusal = kind !== 'status' && ours === 400;
      const isShape = name === 'tx400' ? kind === 'word' : isRefusal;
      if (isOther && (typeof value === 'number' ? kind === 'status' && value === ours : isShape))
        yield switchOf(FLAG_OF[name], value, RULE_OF[name], { behaviour: { [name]: value } });
    }
  if (kind !== 'status') return;
  if (endpoint === 'token')
    yield switchOf(FLAG_OF.tokenPath, path, 'token-mutation', { behaviour: { tokenPath: path } });
  if (ours === 413) {
    const refused = exchanges.flatMap(({ status, body }) =>
      status === 413 && body !== null ? Buffer.byteLength(body) : [],
    );
    const bodyLimitBytes = Math.max(1, Math.min(...refused) - 1);
    yield switchOf('--body-limit', bodyLimitBytes, 'body-limit', { limits: { bodyLimitBytes } });
  }
  if (ours !== null && ours < 300)
    yield switchOf('--lenient', '', 'unlisted-fields', { behaviour: { lenient: true } });
}

/**
 * The flags of `serve` that could be the reason of a refusal, the likeliest first: those that its codes name, or, in a shape without codes,
 * all of them.
 */
export function* refusingSwitches({ kind, endpoint, exchange }: Place, hasCodes: boolean): Generator<Switch> {
  const { status, answer } = exchange;
  if (status !== 400 || answer === null || endpoint === 'token') return;
  // The shape of a failed transaction has no codes of its own.
  const problems = decodeError(plainJson(answer)).problems.map((problem) =>
    problem.code === ('transaction_import_error' satisfies ErrorCode) ? { ...problem, code: null } : problem,
  );
  const named = EXTRA_RULES.filter((code) => answer.includes(code));
  const isCoded = named.length > 0 || problems.some(({ code }) => code !== null);
  if (isCoded !== hasCodes) return;
  for (const code of isCoded ? named : EXTRA_RULES)
    yield switchOf(`--rule ${code}`, '', RULES[code], { behaviour: { rules: [code] } });
  const fields = fieldsMissing(endpoint, exchange, { problems, isCoded }).map((field) =>
    switchOf(`--require ${field}`, '', 'further-required-fields', { behaviour: { requires: [field] } }),
  );
  if (isCoded) yield* fields;
  yield switchOf('--strict', '', 'tolerated-forms', { behaviour: { strict: true } });
  const maxItems = recordsIn(exchange).length - 1;
  if (kind === 'status' && maxItems > 0)
    yield switchOf('--max-items', maxItems, 'most-records', { limits: { maxItems } });
  if (!isCoded) yield* fields;
}

function switchOf(flag: string, value: string | number, rule: string, change: Change): Switch {
  return { flag, text: `${flag} ${value}`.trim(), rule, ...change };
}

/** The rule that each choice changes. */
const RULE_OF: Readonly<Record<keyof BehaviourChoices, string>> = {
  errorShape: 'error-shapes',
  tx400: 'failing-transaction',
  statementsStatus: 'statement-status',
  unknownSupplierStatus: 'notes-of-unknown-supplier',
  pausedStatus: 'supplier-accepts-migration',
  emptyListStatus: 'empty-lists',
};

/** By the code that `--rule` takes. */
const RULES: Readonly<Record<ExtraRule, string>> = {
  import_process_does_not_exist: 'no-import-process',
  missing_transaction_id: 'transaction-ids-in-request',
  line_items_overlap_already_charged_period: 'periods-charged-once',
  conflicting_rate_band_specification: 'rate-named-in-one-way',
  mutually_exclusive_field_required: 'reference-given-in-one-way',
};

/** Fields that the recorded platform may ask for: those that a refusal names, or, where it names none, all that a record lacks. */
function fieldsMissing(
  endpoint: EndpointName,
  exchange: Exchange,
  { problems, isCoded }: { problems: readonly PlatformProblem[]; isCoded: boolean },
): readonly string[] {
  const resource = RESOURCES.find((each) => each === endpoint);
  if (!resource) return [];
  const fields = Object.keys(DESCRIPTORS[resource].schema.shape);
  const ofPaths = problems
    .filter(({ code }) => code === null || code === 'required')
    .map(({ path }) => path.findLast((part) => typeof part === 'string' && fields.includes(part)));
  const records = recordsIn(exchange);
  // A refusal that names a transaction is about the first one that fails.
  const named = records.findIndex((record) => record['transaction_id'] === problems[0]?.transactionId);
  const [before, failed] = named < 0 ? [[], records] : [records.slice(0, named), [records[named]!]];
  const isLacked = (field: string): boolean =>
    failed.some((record) => !(field in record)) && before.every((record) => field in record);
  const missing = ofPaths.some((field) => field !== undefined)
    ? fields.filter((field) => ofPaths.includes(field))
    : fields.filter((field) => !isCoded && isLacked(field));
  return missing.map((field) => `${resource}.${field}`);
}

/** The rule that a flag changes for one exchange: `--strict` refuses forms of values, and values that no list has. */
export function ruleOfSwitch(
  { flag, rule }: Switch,
  { exchange: { answer }, tolerates }: { exchange: Exchange; tolerates: boolean },
): string {
  const isOfList = flag === '--strict' && (!tolerates || answer?.includes('invalid_choice'));
  return isOfList ? 'closed-enums' : rule;
}

/** The records of a request. */
function recordsIn({ body }: Exchange): readonly JsonObject[] {
  const json = plainJson(body ?? '');
  const list: unknown = isJsonObject(json) ? Object.values(json).find((value) => Array.isArray(value)) : [];
  return Array.isArray(list) ? list.filter(isJsonObject) : isJsonObject(json) ? [json] : [];
}

/** The options of a twin with flags beside its own. */
export function withSwitches(options: TwinOptions, switches: readonly Switch[]): TwinOptions {
  return switches.reduce<TwinOptions>((all, { behaviour = {}, limits, ...change }) => {
    const before = { ...BEHAVIOUR_DEFAULTS, ...all.behaviour };
    return {
      ...all,
      tokenTtlSeconds: change.tokenTtlSeconds ?? all.tokenTtlSeconds,
      limits: { ...all.limits, ...limits },
      behaviour: {
        ...before,
        ...behaviour,
        requires: [...new Set([...before.requires, ...(behaviour.requires ?? [])])],
        rules: [...new Set([...before.rules, ...(behaviour.rules ?? [])])],
      },
    };
  }, options);
}
