import { rule, type EnumJudge } from '../../core/rules/rule.ts';
import type { EnumField } from '../store/enum-values.ts';
import type { Platform } from './platform.ts';

export const judgeOf = rule(
  {
    name: 'closed-enums',
    authority: 'observed',
    source: 'deployments.md, "Shapes and bounds"; --strict: emulator.md, "Authority of a rule"',
    says: 'Enums are open. One that the operator closed (`enums` of a seed, for all types of transaction or for each) takes the values of its list only; with --strict an open one takes what interface.md shows.',
    tested: 'server/platform/closed-enums › with the enums $enums: $item.type $item.reason, fault at $fault',
    codes: ['invalid_choice'],
  },
  /** `candidate` is the record whose values are judged; `closed` is asked once for all records of a request. */
  (
    candidate: unknown,
    { platform: { store, behaviour }, closed }: { platform: Platform; closed: ReadonlySet<EnumField> },
  ): EnumJudge => {
    const type = (candidate as { readonly type?: unknown } | null)?.type;
    return (name, value, isShown) => {
      const isInstruction = name === 'type';
      const field = (isInstruction ? 'instruction_type' : name) as EnumField;
      const transactionType = isInstruction || typeof type !== 'string' ? '' : type;
      const takes = closed.has(field) ? store.enumValues.takes({ field, transactionType, value }) : undefined;
      if (takes ?? isShown) return 'known';
      return takes === false || behaviour.strict ? 'refused' : 'undocumented';
    };
  },
);
