import { IN_ENGLISH } from '../../core/schema/in-english.ts';
import { effectOf } from './read-effect.ts';
import { needsBody, type FaultRule, type Which } from './rule.ts';
import { repeatedKey, textOfRule, writtenOf } from './rule-text.ts';
import { objectionOf, RULE_KEYS, writtenRule, type WrittenRule } from './written-rule.ts';

/** A rule, or what is wrong with it. */
export type RuleReading =
  | { readonly rule: FaultRule; readonly reason?: undefined }
  | { readonly rule?: undefined; readonly reason: string };

/** Reads a rule as `--fault` takes it, or as a plan file has it. */
export function readRule(given: unknown): RuleReading {
  const repeated = typeof given === 'string' ? repeatedKey(given) : undefined;
  if (repeated !== undefined) return { reason: `\`${repeated}\` stands there twice` };
  const object = typeof given === 'string' ? writtenOf(given) : given;
  const parsed = writtenRule.safeParse(object, IN_ENGLISH);
  if (!parsed.success) return { reason: firstObjection(parsed.error.issues, object) };
  const { effect, reason } = effectOf(parsed.data);
  if (reason !== undefined) return { reason };
  const which = whichOf(parsed.data);
  if (effect.kind === 'reset' && effect.bytes !== null && parsed.data.when === 'accept' && needsBody(which)) {
    return {
      reason:
        'what `account`, `supplier`, `attempt` and `p` ask for stands in the body, of which `bytes` leaves a part unread',
    };
  }
  const rule = { text: textOfRule(parsed.data), which, when: parsed.data.when, effect };
  return { rule };
}

/** A misspelt key is told before what it leaves missing. */
function firstObjection(issues: Parameters<typeof objectionOf>[0][], object: unknown): string {
  const issue = issues.find(({ code }) => code === 'unrecognized_keys') ?? issues[0]!;
  const [key] = issue.path;
  const isMissing = key !== undefined && typeof object === 'object' && !Object.hasOwn(object as object, key);
  return isMissing ? `\`${String(key)}\` is missing: it ${issue.message}` : objectionOf(issue, RULE_KEYS);
}

function whichOf({ on, account, supplier, attempt, nth, every, times, p }: WrittenRule): Which {
  const conditions = { account, supplier, attempt, nth, every, times, p };
  const given = Object.entries(conditions).filter(([, value]) => value !== undefined);
  return { on, ...(Object.fromEntries(given) as Omit<Which, 'on'>) };
}
