import { RESOURCES, type Resource } from '../../core/contract/resources.ts';
import type { JsonObject } from '../../core/values/plain-json.ts';
import type { EndpointName } from '../recording/exchange.ts';
import { decisionOf } from '../../server/options/behaviour.ts';
import type { PlayedExchange } from './play.ts';
import { extraRuleOf, missingFieldsOf, shownValues } from './rules-touched.ts';
import { errorShapeOf, isTaken, recordsIn, type ShownFlags } from './shown-flags.ts';

/** The flags that have a value in a recording as a whole, by the rules that they change. */
const SHOWN_BY_RULE: Readonly<Record<string, keyof ShownFlags>> = {
  'error-shapes': 'errorShape',
  'statement-status': 'statementsStatus',
  'notes-of-unknown-supplier': 'unknownSupplierStatus',
  'supplier-accepts-migration': 'pausedStatus',
  'empty-lists': 'emptyListStatus',
  'token-mutation': 'tokenPath',
  'token-life': 'tokenTtl',
  'body-limit': 'bodyLimitBytes',
  'most-records': 'maxItems',
};

/** The flag of `serve` that is about a rule, with the value that the recording shows. Undefined where the recording speaks against it. */
export function flagOfRule(
  rule: string,
  place: PlayedExchange,
  { shown, places }: { shown: ShownFlags; places: readonly PlayedExchange[] },
): string | undefined {
  const { endpoint, exchange, twin } = place;
  const code = extraRuleOf(place);
  if (code !== undefined) return `--behaviour rule=${code}`;
  const name = SHOWN_BY_RULE[rule];
  if (name) {
    const [value, ...others] = shown[name] ?? [];
    const isOther =
      (name.endsWith('Status') && exchange.status !== value) ||
      (name === 'errorShape' && (errorShapeOf(exchange) !== value || errorShapeOf(twin) === value));
    if (value === undefined || others.length > 0 || isOther) return undefined;
    return name === 'tokenTtl' ? `--token-ttl ${value}s` : `--behaviour ${decisionOf(name, value)}`;
  }
  const isRefusal = !isTaken(exchange);
  switch (rule) {
    case 'failing-transaction':
      return `--behaviour ${decisionOf('tx400', exchange.answer?.includes('TRANSACTION_ALREADY_EXISTS') ? 'prefix' : 'atomic')}`;
    case 'further-required-fields':
      return missingFieldsOf(exchange)
        .filter((field) => !hasTaken(places, endpoint, (record) => record[field] === undefined))
        .map((field) => `--behaviour require=${endpoint}.${field}`)[0];
    case 'tolerated-forms':
    case 'closed-enums':
      return isRefusal && !takesOtherValues(places) ? '--behaviour strict' : undefined;
    case 'unlisted-fields':
      return isRefusal ? undefined : '--behaviour lenient';
    default:
      return undefined;
  }
}

/** Whether the recorded platform has taken a record of an endpoint. */
function hasTaken(
  places: readonly PlayedExchange[],
  endpoint: EndpointName,
  isIt: (record: JsonObject) => boolean,
): boolean {
  const taken = places.filter((place) => place.endpoint === endpoint && isTaken(place.exchange));
  return taken.some(({ exchange }) => recordsIn(exchange).some(isIt));
}

/** Whether the recorded platform has taken values or forms of values that the interface does not show. */
function takesOtherValues(places: readonly PlayedExchange[]): boolean {
  const tolerated = places.some(({ exchange, tolerates }) => tolerates && isTaken(exchange));
  const isOther = (resource: Resource, record: JsonObject): boolean => {
    const shown = shownValues(resource);
    let isFound = false;
    JSON.stringify(record, (name, value: unknown) => {
      isFound ||= value !== '' && shown.get(name)?.includes(String(value)) === false;
      return value;
    });
    return isFound;
  };
  return tolerated || RESOURCES.some((each) => hasTaken(places, each, (record) => isOther(each, record)));
}

/** Whether a flag may refuse what the recorded platform takes, although nothing in the recording shows it. */
export const isStricter = (flag: string): boolean => /^--behaviour (?:strict|rule)\b/.test(flag);
