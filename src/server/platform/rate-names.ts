import { failure, type Problem } from '../../core/problem.ts';
import { rule } from '../../core/rules/rule.ts';

/** The interface lists the first only; the others are fields of deployments and come here with --lenient alone. */
const WAYS = ['rate_band', 'rate_specification_code', 'external_rate_identifier'];

export const rateNamedOnce = rule(
  {
    name: 'rate-named-in-one-way',
    authority: 'observed',
    source:
      'deployments.md, "Rules named by deployments"; which three ways: "Fields that occur in deployments"',
    says: 'With --rule conflicting_rate_band_specification a line item names its rate by exactly one of rate_band, rate_specification_code and external_rate_identifier.',
    tested:
      'server/platform/extra-rules › conflicting_rate_band_specification: a line item with $names: $right',
    codes: ['conflicting_rate_band_specification'],
  },
  /** `candidate` is a transaction as it was sent that was found to be right by itself. */
  (candidate: unknown): readonly Problem[] => {
    const { line_items: items = [] } = candidate as { readonly line_items?: readonly object[] };
    return items.flatMap((item, index) =>
      WAYS.filter((way) => Object.hasOwn(item, way)).length === 1
        ? []
        : [failure('conflicting_rate_band_specification', ['line_items', index, 'rate_band'])],
    );
  },
);
