import { AppError } from '../../core/app-error.ts';
import { DESCRIPTORS, RESOURCES } from '../../core/contract/resources.ts';
import { DEFAULT_TOKEN_MUTATION } from '../../core/contract/token.ts';
import { suggestion } from '../../core/suggestion.ts';

/** Rules of some deployments that are off unless asked for (deployments.md, "Rules named by deployments"). */
export const EXTRA_RULES = [
  'import_process_does_not_exist',
  'missing_transaction_id',
  'line_items_overlap_already_charged_period',
  'conflicting_rate_band_specification',
  'mutually_exclusive_field_required',
] as const;
export type ExtraRule = (typeof EXTRA_RULES)[number];

const READERS = {
  PATH: (text: string) => (/^\/[\w\-./~]*$/.test(text) ? text : undefined),
  /** As browsers send it. */
  ORIGIN: (text: string) =>
    /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text ? text : undefined,
  FIELD: (text: string) => (isFieldOfRecords(text) ? text : undefined),
  N: (text: string) => (/^[1-9]\d{0,8}$/.test(text) ? Number.parseInt(text, 10) : undefined),
  DURATION: (text: string) => {
    const [, digits, unit] = /^([1-9]\d{0,5})([smh])$/.exec(text) ?? [];
    return digits === undefined
      ? undefined
      : Number.parseInt(digits, 10) * { s: 1, m: 60, h: 3_600 }[unit as 's'];
  },
};

function isFieldOfRecords(text: string): boolean {
  const [name, field = '', ...more] = text.split('.');
  const resource = RESOURCES.find((each) => each === name);
  return (
    resource !== undefined && more.length === 0 && Object.hasOwn(DESCRIPTORS[resource].schema.shape, field)
  );
}

/** A decision, which a text `KEY=VALUE` makes. */
interface Decision<T> {
  readonly key: string;
  readonly says: string;
  /** Its values, or what the value is. Null for a key that stands alone. */
  readonly takes: readonly (string | number)[] | keyof typeof READERS | null;
  readonly default: T;
}

const oneOf = <const T extends string | number>(
  key: string,
  says: string,
  takes: readonly [T, ...T[]],
  preset = takes[0],
): Decision<T> => ({ key, says, takes, default: preset });
const flag = (key: string, says: string): Decision<boolean> => ({ key, says, takes: null, default: false });
const given = <T>(key: string, says: string, takes: Decision<T>['takes'], preset: T): Decision<T> => ({
  key,
  says,
  takes,
  default: preset,
});

/**
 * Every decision where the interface leaves the answer open, as `--behaviour`, `startServer` and the list `behaviour` of a seed take it
 * (docs/serve-reference.md, "Options").
 */
export const DECISIONS = {
  /** deployments.md, "Responses". */
  errorShape: oneOf('error-shape', 'shape of 400 answers', ['documented', 'nested', 'non_field']),
  tx400: oneOf('tx-400', 'whether a 400 keeps the transactions before the failing one', ['atomic', 'prefix']),
  transactionIds: oneOf('transaction-ids', 'whether ids are unique in an account or on the whole platform', [
    'account',
    'platform',
  ]),
  /** The interface names both statuses (interface.md 4.4). */
  statementsStatus: oneOf('statements-status', 'status of the answer to stored statements', [200, 201], 201),
  /** The interface has 404 (interface.md 4.2, 7.2). 400 is the answer of an operator with a closed list of suppliers. */
  unknownSupplierStatus: oneOf(
    'unknown-supplier-status',
    'status of the answer to notes of an unknown supplier',
    [404, 400],
  ),
  /** The interface has an error (interface.md 3.2). */
  pausedStatus: oneOf(
    'paused-status',
    'status of the answer while a supplier is Paused or Complete',
    [400, 403],
  ),
  /** A deployment has other statuses for its switch of supply (deployments.md). */
  importedStatus: oneOf('imported-status', 'status of an account that exists', [
    'COMPLETED',
    'PENDING',
    'IN_PROGRESS',
    'REJECTED',
  ]),
  /** interface.md 4.7. */
  emptyListStatus: oneOf(
    'empty-list-status',
    'status of the answer to a list of accounts without any',
    [200, 404],
  ),
  tokenPath: given('token-path', 'path of tokens, such as /v1/graphql/', 'PATH', DEFAULT_TOKEN_MUTATION.path),
  tokenTtlSeconds: given(
    'token-ttl',
    'lifetime of a token in whole seconds, such as 90s or 2h',
    'DURATION',
    3_600,
  ),
  cors: given<string | undefined>(
    'cors',
    'lets pages of this origin call the interface, such as http://localhost:5173',
    'ORIGIN',
    undefined,
  ),
  requires: given<readonly string[]>(
    'require',
    'requires an optional field, such as transactions.reason',
    'FIELD',
    [],
  ),
  strict: flag('strict', 'refuses values, and forms of values, that the interface does not show'),
  lenient: flag('lenient', 'drops unlisted fields and counts them in /_local/health'),
  rules: given<readonly ExtraRule[]>(
    'rule',
    'turns on a rule that some deployments have, by its code',
    EXTRA_RULES,
    [],
  ),
  bodyLimitBytes: given('body-limit', 'largest request body, in bytes', 'N', 5 * 1024 * 1024),
  maxItems: given('max-items', 'most records in one request', 'N', 10_000),
};

export type Behaviour = { readonly [Name in keyof typeof DECISIONS]: (typeof DECISIONS)[Name]['default'] };

const NAMES = Object.keys(DECISIONS) as readonly (keyof Behaviour)[];
const KEYS = NAMES.map((name) => DECISIONS[name].key);

export const BEHAVIOUR_DEFAULTS = Object.fromEntries(
  NAMES.map((name) => [name, DECISIONS[name].default]),
) as unknown as Behaviour;

/** The values of a decision, as its help shows them. Empty for a key that stands alone. */
export const valuesOf = ({ takes }: Pick<Decision<unknown>, 'takes'>): string =>
  takes === null ? '' : typeof takes === 'string' ? takes : takes.join('|');

/** The decision and its value; undefined for a text that is no decision. */
function readText(text: string): readonly [keyof Behaviour, unknown] | undefined {
  const [key = '', ...rest] = text.split('=');
  const name = NAMES.find((each) => DECISIONS[each].key === key);
  if (name === undefined) return undefined;
  const { takes } = DECISIONS[name];
  if (takes === null) return rest.length === 0 ? [name, true] : undefined;
  const typed = rest.join('=');
  const value =
    typeof takes === 'string' ? READERS[takes](typed) : takes.find((each) => String(each) === typed);
  return value === undefined ? undefined : [name, value];
}

/** Why a text is no decision; undefined when it is one. */
export function reasonAgainst(text: string): string | undefined {
  if (readText(text)) return undefined;
  const [key = ''] = text.split('=');
  const decision = Object.values(DECISIONS).find((each) => each.key === key);
  if (!decision) return `there is no such key${suggestion(key, KEYS)} (keys: ${KEYS.join(', ')})`;
  const values = valuesOf(decision);
  return values === '' ? `${key} takes no value` : `it must be ${key}=${values} (${decision.says})`;
}

/** What texts decide together. A later one goes before an earlier one with the same key; fields and rules are collected. @throws AppError `setting_invalid` */
export function behaviourIn(texts: readonly string[]): Behaviour {
  const behaviour: Record<string, unknown> = { ...BEHAVIOUR_DEFAULTS };
  for (const text of texts) {
    const read = readText(text);
    if (!read) {
      const [reason, accepted] = [reasonAgainst(text)!, KEYS.join(', ')];
      throw new AppError('setting_invalid', { setting: 'behaviour', source: text, reason, accepted });
    }
    const [name, value] = read;
    const before = behaviour[name];
    behaviour[name] = Array.isArray(before) ? [...(before as unknown[]), value] : value;
  }
  return behaviour as Behaviour;
}
