import { AppError } from '../../core/app-error.ts';
import { DEFAULT_TOKEN_MUTATION } from '../../core/contract/token.ts';
import { suggestion } from '../../core/suggestion.ts';

/** The values of the decisions that have a few values. */
export const BEHAVIOUR_CHOICES = {
  /** The shape of a 400 answer (deployments.md, "Responses"). Default: `documented`. */
  errorShape: ['documented', 'nested', 'non_field'],
  /** Whether a failing transaction undoes the ones before it in the same request, or keeps them. Default: `atomic`. */
  tx400: ['atomic', 'prefix'],
  /** Whether each account has transaction ids of its own, or an id is kept once for all accounts. Nothing says which. Default: `account`. */
  transactionIds: ['account', 'platform'],
  /** The interface names both statuses (interface.md 4.4). Default: 201. */
  statementsStatus: [200, 201],
  /**
   * Status of the answer to notes of an unknown supplier. The interface has 404 (interface.md 4.2, 7.2). 400 is the answer of an
   * operator with a closed list of suppliers. Default: 404.
   */
  unknownSupplierStatus: [404, 400],
  /** Status of the answer while a supplier is Paused or Complete. The interface has an error (interface.md 3.2). Default: 400. */
  pausedStatus: [400, 403],
  /** Status of an account that exists, where a deployment has others for its switch of supply (deployments.md). Default: `COMPLETED`. */
  importedStatus: ['COMPLETED', 'PENDING', 'IN_PROGRESS', 'REJECTED'],
  /** Status of the answer to a list of a supplier without accounts (interface.md 4.7). Default: 200. */
  emptyListStatus: [200, 404],
} as const;

export type BehaviourChoices = {
  readonly [Name in keyof typeof BEHAVIOUR_CHOICES]: (typeof BEHAVIOUR_CHOICES)[Name][number];
};
export type ErrorShape = BehaviourChoices['errorShape'];
export type Tx400 = BehaviourChoices['tx400'];

/** Rules of some deployments that are off unless asked for (deployments.md, "Rules named by deployments"). */
export const EXTRA_RULES = [
  'import_process_does_not_exist',
  'missing_transaction_id',
  'line_items_overlap_already_charged_period',
  'conflicting_rate_band_specification',
  'mutually_exclusive_field_required',
] as const;
export type ExtraRule = (typeof EXTRA_RULES)[number];

/** How the platform decides where the interface leaves the answer open (docs/serve-reference.md, "Options"). */
export interface Behaviour extends BehaviourChoices {
  /**
   * Refuses what the interface does not show: values of open enums, amounts as text, date-times with another offset than `Z`.
   * Default: accepts and counts them.
   */
  readonly strict: boolean;
  /** Drops unlisted fields and counts them. Default: refuses them. */
  readonly lenient: boolean;
  /** Path of the token mutation. Default: the path of docs/settings.md. */
  readonly tokenPath: string;
  /** Origin whose pages may call the interface, such as `http://localhost:5173`. Default: none. */
  readonly cors: string | undefined;
  /** Further required fields of records, such as `transactions.reason`. Default: none. */
  readonly requires: readonly string[];
  /** Default: none. */
  readonly rules: readonly ExtraRule[];
}

export const BEHAVIOUR_DEFAULTS: Behaviour = {
  errorShape: 'documented',
  tx400: 'atomic',
  transactionIds: 'account',
  strict: false,
  lenient: false,
  statementsStatus: 201,
  unknownSupplierStatus: 404,
  pausedStatus: 400,
  importedStatus: 'COMPLETED',
  emptyListStatus: 200,
  tokenPath: DEFAULT_TOKEN_MUTATION.path,
  cors: undefined,
  requires: [],
  rules: [],
};

/** Decisions that `startServer` takes beside `behaviour`. */
const LIMITS = ['bodyLimitBytes', 'maxItems', 'tokenTtlSeconds'] as const;
type Limit = (typeof LIMITS)[number];

/** Decisions as texts give them. */
export type GivenBehaviour = { readonly behaviour: Partial<Behaviour> } & {
  readonly [Name in Limit]?: number;
};

/** One decision as a text `KEY=VALUE`. */
interface BehaviourKey {
  readonly option: keyof Behaviour | Limit;
  readonly says: string;
  /** Its values, or what the value is. Null for a key that stands alone. */
  readonly takes: readonly (string | number)[] | keyof typeof READERS | null;
}

const READERS = {
  PATH: (text: string) => (isUrlPath(text) ? text : undefined),
  ORIGIN: (text: string) => (isOrigin(text) ? text : undefined),
  FIELD: (text: string) => (/^[\w-]+\.\w+$/.test(text) ? text : undefined),
  N: (text: string) => (/^[1-9]\d{0,8}$/.test(text) ? Number.parseInt(text, 10) : undefined),
  DURATION: (text: string) => {
    const [, digits, unit] = /^([1-9]\d{0,5})([smh])$/.exec(text) ?? [];
    return digits === undefined
      ? undefined
      : Number.parseInt(digits, 10) * { s: 1, m: 60, h: 3_600 }[unit as 's'];
  },
};

/** Whether a text is a path of a URL. */
export const isUrlPath = (text: string): boolean => /^\/[\w\-./~]*$/.test(text);

/** Whether a text is the origin of a web page, as browsers send it. */
export const isOrigin = (text: string): boolean =>
  /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text;

const key = (
  option: BehaviourKey['option'],
  says: string,
  takes: BehaviourKey['takes'] = BEHAVIOUR_CHOICES[option as keyof BehaviourChoices],
): BehaviourKey => ({ option, says, takes });

/** Every decision by its key, as `--behaviour` and the list `behaviour` of a seed take it. */
export const BEHAVIOUR_KEYS: Readonly<Record<string, BehaviourKey>> = {
  'error-shape': key('errorShape', 'shape of 400 answers'),
  'tx-400': key('tx400', 'whether a 400 keeps the transactions before the failing one'),
  'transaction-ids': key('transactionIds', 'whether ids are unique in an account or on the whole platform'),
  'statements-status': key('statementsStatus', 'status of the answer to stored statements'),
  'unknown-supplier-status': key(
    'unknownSupplierStatus',
    'status of the answer to notes of an unknown supplier',
  ),
  'paused-status': key('pausedStatus', 'status of the answer while a supplier is Paused or Complete'),
  'imported-status': key('importedStatus', 'status of an account that exists'),
  'empty-list-status': key('emptyListStatus', 'status of the answer to a list of accounts without any'),
  'token-path': key('tokenPath', 'path of the token mutation', 'PATH'),
  'token-ttl': key('tokenTtlSeconds', 'lifetime of a token in whole seconds, such as 90s or 2h', 'DURATION'),
  cors: key('cors', 'lets pages of this origin call the interface, such as http://localhost:5173', 'ORIGIN'),
  require: key('requires', 'requires an optional field, such as transactions.reason', 'FIELD'),
  strict: key('strict', 'refuses what the interface does not show, such as values of open enums', null),
  lenient: key('lenient', 'accepts unlisted fields and reports them', null),
  rule: key('rules', 'turns on a rule that some deployments have, by its code', EXTRA_RULES),
  'body-limit': key('bodyLimitBytes', 'largest request body, in bytes', 'N'),
  'max-items': key('maxItems', 'most records in one request', 'N'),
};

/** The values of a key, as its help shows them. Empty for a key that stands alone. */
export const valuesOf = ({ takes }: BehaviourKey): string =>
  takes === null ? '' : typeof takes === 'string' ? takes : takes.join('|');

/** How a value of an option is typed, such as `tx-400=prefix`. */
export const decisionOf = (option: BehaviourKey['option'], value: string | number): string =>
  `${Object.keys(BEHAVIOUR_KEYS).find((name) => BEHAVIOUR_KEYS[name]!.option === option)}=${value}${option === 'tokenTtlSeconds' ? 's' : ''}`;

/** The option and its value; undefined for a text that is no decision. */
function readText(text: string): readonly [BehaviourKey['option'], unknown] | undefined {
  const [name = '', ...rest] = text.split('=');
  if (!Object.hasOwn(BEHAVIOUR_KEYS, name)) return undefined;
  const { option, takes } = BEHAVIOUR_KEYS[name]!;
  const given = rest.join('=');
  if (takes === null) return rest.length === 0 ? [option, true] : undefined;
  const value =
    typeof takes === 'string' ? READERS[takes](given) : takes.find((each) => String(each) === given);
  return value === undefined ? undefined : [option, value];
}

/** Why a text is no decision; undefined when it is one. */
export function reasonAgainst(text: string): string | undefined {
  if (readText(text)) return undefined;
  const [name = ''] = text.split('=');
  const known = Object.keys(BEHAVIOUR_KEYS);
  if (!known.includes(name))
    return `there is no such key${suggestion(name, known)} (keys: ${known.join(', ')})`;
  const values = valuesOf(BEHAVIOUR_KEYS[name]!);
  const { says } = BEHAVIOUR_KEYS[name]!;
  return values === '' ? `${name} takes no value` : `it must be ${name}=${values} (${says})`;
}

/** What texts decide together. A later one goes before an earlier one with the same key; fields and rules are collected. @throws AppError `setting_invalid` */
export function behaviourIn(texts: readonly string[]): GivenBehaviour {
  const behaviour: Record<string, unknown> = {};
  const limits: Record<string, unknown> = {};
  for (const text of texts) {
    const read = readText(text);
    if (!read) {
      const [reason, accepted] = [reasonAgainst(text)!, Object.keys(BEHAVIOUR_KEYS).join(', ')];
      throw new AppError('setting_invalid', { setting: 'behaviour', source: text, reason, accepted });
    }
    const [option, value] = read;
    if (LIMITS.some((limit) => limit === option)) limits[option] = value;
    else if (option === 'requires' || option === 'rules')
      behaviour[option] = [...((behaviour[option] ?? []) as unknown[]), value];
    else behaviour[option] = value;
  }
  return { behaviour, ...limits };
}
