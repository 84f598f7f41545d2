import { DESCRIPTORS, RESOURCES } from '../../core/contract/resources.ts';
import {
  BEHAVIOUR_DEFAULTS,
  EXTRA_RULES,
  type Behaviour,
  type ExtraRule,
} from '../../server/options/behaviour.ts';
import type { EndpointName, Exchange } from '../recording/exchange.ts';
import { roundedLife } from '../recording/pace.ts';
import { FLAG_OF } from './behaviour-flags.ts';
import { codesIn, type Difference } from './differences.ts';

/** A flag of `serve` that makes the twin answer as the recorded platform. */
export interface Switch {
  /** As it is typed. */
  readonly text: string;
  /** The rule that it changes. */
  readonly rule: string;
  readonly behaviour?: Partial<Behaviour>;
  readonly tokenTtlSeconds?: number;
}

/** What a difference is looked up by. `twinAnswer`: JSON. */
export interface SwitchPlace {
  readonly endpoint: EndpointName;
  readonly exchange: Exchange;
  readonly twinAnswer: string | null;
  /** The recording, for `--like`. */
  readonly file: string;
}

/** The flag of `serve` that would remove a difference; undefined where none does. */
export function switchOf(difference: Difference, place: SwitchPlace): Switch | undefined {
  const { kind, recorded, twin } = difference;
  const { endpoint, exchange, twinAnswer, file } = place;
  if (kind === 'rate limit') return { text: `--like ${file}`, rule: 'rate-limits' };
  if (kind === 'token life') {
    const tokenTtlSeconds = roundedLife(exchange.lifetime_s!);
    return { text: `--token-ttl ${tokenTtlSeconds}s`, rule: 'token-life', tokenTtlSeconds };
  }
  if (kind === 'word' && /EXISTS/.test(recorded) && /ADDED/.test(twin)) return choice('tx400', 'prefix');
  if ((kind === 'name' || kind === 'form') && exchange.status === 400 && isMirror(exchange))
    return choice('errorShape', shapeOf(exchange));
  if (kind !== 'status') return undefined;
  const [ours, theirs] = [exchange.status, twin.slice(0, 3)];
  const codes = codesIn(exchange.answer ?? '');
  const twinCodes = codesIn(twinAnswer ?? '');
  if (endpoint === 'token' && theirs === '404') return choice('tokenPath', exchange.path);
  if (ours === 200 && theirs === '201') return endpointChoice(endpoint);
  if (ours === 403 && twinCodes.includes('import_supplier_migration_not_ongoing'))
    return choice('pausedStatus', 403);
  if (ours === 400 && theirs === '404' && /"attr":\s*"import_supplier"/.test(exchange.answer ?? ''))
    return choice('unknownSupplierStatus', 400);
  if (endpoint === 'lists' && ours === 404 && theirs === '200') return choice('emptyListStatus', 404);
  if (ours !== null && ours < 300 && twinCodes.includes('unexpected_field'))
    return { text: '--lenient', rule: 'unlisted-fields', behaviour: { lenient: true } };
  if (ours === 413) return { text: `--body-limit ${exchange.body?.length ?? 1}`, rule: 'body-limit' };
  if (ours !== 400 || !theirs.startsWith('2')) return undefined;
  const rule = EXTRA_RULES.find((code) => codes.includes(code));
  if (rule) return { text: `--rule ${rule}`, rule: RULES[rule], behaviour: { rules: [rule] } };
  const required = requiredField(endpoint, exchange);
  if (required !== undefined)
    return {
      text: `--require ${required}`,
      rule: 'further-required-fields',
      behaviour: { requires: [required] },
    };
  return codes.some((code) => STRICT.has(code))
    ? { text: '--strict', rule: 'tolerated-forms', behaviour: { strict: true } }
    : undefined;
}

/** Codes of values that `--strict` refuses. */
const STRICT: ReadonlySet<string> = new Set(['invalid', 'invalid_choice', 'invalid_type']);

/** By the code that `--rule` takes. */
const RULES: Readonly<Record<ExtraRule, string>> = {
  import_process_does_not_exist: 'no-import-process',
  missing_transaction_id: 'transaction-ids-in-request',
  line_items_overlap_already_charged_period: 'periods-charged-once',
  conflicting_rate_band_specification: 'rate-named-in-one-way',
  mutually_exclusive_field_required: 'reference-given-in-one-way',
};

/** The rule that each choice changes. */
const RULE_OF = {
  tx400: 'failing-transaction',
  errorShape: 'error-shapes',
  tokenPath: 'token-mutation',
  pausedStatus: 'supplier-accepts-migration',
  unknownSupplierStatus: 'notes-of-unknown-supplier',
  emptyListStatus: 'empty-lists',
  statementsStatus: 'statement-status',
} as const;

function choice<Name extends keyof typeof RULE_OF>(name: Name, value: Behaviour[Name]): Switch {
  return { text: `${FLAG_OF[name]} ${value}`, rule: RULE_OF[name], behaviour: { [name]: value } };
}

/** The interface lets statements have another status of success. */
function endpointChoice(endpoint: EndpointName): Switch | undefined {
  const isOpen = RESOURCES.some(
    (resource) => resource === endpoint && DESCRIPTORS[resource].endpoint.success.includes(200),
  );
  return isOpen ? choice('statementsStatus', 200) : undefined;
}

/** A field that the recorded platform asks for. */
function requiredField(endpoint: EndpointName, { answer }: Exchange): string | undefined {
  const resource = RESOURCES.find((each) => each === endpoint);
  const [, attr] = /"code":\s*"required"[^}]*"attr":\s*"([\w.]+)"/.exec(answer ?? '') ?? [];
  const field = attr?.split('.').at(-1);
  return resource && field !== undefined && field in DESCRIPTORS[resource].schema.shape
    ? `${resource}.${field}`
    : undefined;
}

/** Whether a refusal is none of the documented shapes. */
const isMirror = ({ answer }: Exchange): boolean =>
  answer !== null && !/"(?:code|error_detail)":/.test(answer);

const shapeOf = ({ answer }: Exchange): Behaviour['errorShape'] =>
  answer!.startsWith('{"non_field_errors":[') ? 'non_field' : 'nested';

/** The behaviour with the switches that were found. */
export function behaviourWith(before: Partial<Behaviour>, switches: readonly Switch[]): Partial<Behaviour> {
  return switches.reduce<Partial<Behaviour>>(
    (all, { behaviour = {} }) => ({
      ...all,
      ...behaviour,
      requires: [
        ...new Set([...(all.requires ?? BEHAVIOUR_DEFAULTS.requires), ...(behaviour.requires ?? [])]),
      ],
      rules: [...new Set([...(all.rules ?? BEHAVIOUR_DEFAULTS.rules), ...(behaviour.rules ?? [])])],
    }),
    before,
  );
}
