import { effectOf } from './read-effect.ts';
import { objectionsOf } from './objections.ts';
import { needsBody, type FaultRule, type Which } from './rule.ts';
import { repeatedKey, textOfRule, writtenOf } from './rule-text.ts';
import { RULE_KEYS, writtenRule, type WrittenRule } from './written-rule.ts';

/** A rule, or what is wrong with it. */
export type RuleReading =
  | { readonly rule: FaultRule; readonly reason?: undefined }
  | { readonly rule?: undefined; readonly reason: string };

/** Reads a rule as `--fault` takes it, or as a plan file has it. */
export function readRule(given: unknown): RuleReading {
  const repeated = typeof given === 'string' ? repeatedKey(given) : undefined;
  if (repeated !== undefined) return { reason: `\`${repeated}\` stands there twice` };
  const object = typeof given === 'string' ? writtenOf(given) : given;
  const parsed = writtenRule.safeParse(object);
  if (!parsed.success) {
    const reasons = objectionsOf(parsed.error.issues, object, RULE_KEYS).map(({ reason }) => reason);
    return { reason: [...new Set(reasons)].join('; ') };
  }
  const { effect, reason } = effectOf(parsed.data);
  if (reason !== undefined) return { reason };
  const rule = { text: textOfRule(parsed.data), which: whichOf(parsed.data), when: parsed.data.when, effect };
  const contradiction = contradictionIn(rule);
  return contradiction === undefined ? { rule } : { reason: contradiction };
}

/** Why a rule could never fire. */
function contradictionIn({ which, when, effect }: FaultRule): string | undefined {
  const { on, nth, every } = which;
  if (effect.kind === 'reset' && effect.bytes !== null && when === 'accept' && needsBody(which))
    return 'what `account`, `supplier`, `attempt` and `p` ask for stands in the body, of which `bytes` leaves a part unread';
  if (nth !== undefined && every !== undefined && nth % every !== 0)
    return '`nth` is no multiple of `every`, so no request is both: leave one of them out';
  const unnamed = UNNAMED[on]?.find((key) => which[key] !== undefined);
  return unnamed && `a request of ${on} names no ${unnamed}, so \`${unnamed}\` never meets one`;
}

/** What requests do not say, neither in their path nor in their body. */
const UNNAMED: Readonly<Partial<Record<Which['on'], readonly ('account' | 'supplier')[]>>> = {
  token: ['account', 'supplier'],
  lists: ['account'],
};

function whichOf({ on, account, supplier, attempt, nth, every, times, p }: WrittenRule): Which {
  const conditions = { account, supplier, attempt, nth, every, times, p };
  const given = Object.entries(conditions).filter(([, value]) => value !== undefined);
  return { on, ...(Object.fromEntries(given) as Omit<Which, 'on'>) };
}
