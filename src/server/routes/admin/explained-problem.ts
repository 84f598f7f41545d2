import { pathOfAttr, type Path } from '../../../core/problem.ts';
import { Decimal, sum } from '../../../core/values/decimal.ts';
import type { LoggedProblem, LoggedRequest } from '../../http/logged-request.ts';
import { ruleOfProblem } from '../../parity/parity.ts';
import type { Platform } from '../../platform/platform.ts';
import { valueAt } from '../../../core/rules/schema-problems.ts';
import { exactJson } from '../../../core/values/exact-json.ts';

/** A problem with the rule that it breaks, and the next step of the client. */
export interface ExplainedProblem extends Omit<LoggedProblem, 'next' | 'field'> {
  /** The path of the field to look at first. */
  readonly field: string;
  readonly next: string | null;
  /** Null when several rules fit. */
  readonly rule: Readonly<{ name: string; authority: string; source: string; says: string }> | null;
}

export function explained(
  { problems = [], endpoint, request_body: body }: LoggedRequest,
  { contract }: Platform,
): readonly ExplainedProblem[] {
  const json = body === undefined ? undefined : exactJson(body);
  return problems.map((problem) => {
    const { code, next } = problem;
    const field = problem.field ?? (problem.attr || (FIELDS_OF_REQUEST[code] ?? ''));
    const name = field.split('.').findLast((part) => !/^\d*$/.test(part)) ?? '';
    const rule = ruleOfProblem({ code, field: name, endpoint }, contract);
    return {
      ...problem,
      next: [...sumsOf(code, pathOfAttr(field), json), next].filter(Boolean).join(' ') || null,
      field,
      rule: rule
        ? { name: rule.name, authority: rule.authority, source: rule.source, says: rule.says }
        : null,
    };
  });
}

/** The field that is looked at first when an answer refuses a request as a whole. */
const FIELDS_OF_REQUEST: Readonly<Record<string, string>> = {
  account_not_found: 'external_account_number',
  permission_denied: 'import_supplier',
};

const SUM_CODE = 'ledger_transaction_amount_does_not_match_with_line_item_net_amount_and_tax_amount';

/** Both sides of a sum that is wrong. The problem itself names no value, because the log may keep no bodies. */
function sumsOf(code: string, path: Path, json: unknown): readonly string[] {
  if (code !== SUM_CODE) return [];
  const total = sum(amountsOfItems(valueAt(json, path.slice(0, -1)))).text;
  return decimalOf(valueAt(json, path)).map(
    ({ text }) => `The amount is ${text}, and its items add up to ${total}.`,
  );
}

/** The value as a decimal; none when it is no number. */
function decimalOf(value: unknown): readonly Decimal[] {
  const read = typeof value === 'string' ? Decimal.parse(value) : value;
  return read instanceof Decimal ? [read] : [];
}

/** The amounts that the amount of a transaction is the sum of. */
function amountsOfItems(transaction: unknown): readonly Decimal[] {
  const amountsIn = (list: string, field: string): readonly unknown[] => {
    const items = valueAt(transaction, [list]);
    return Array.isArray(items) ? items.map((item) => valueAt(item, [field])) : [];
  };
  return [...amountsIn('line_items', 'net_amount'), ...amountsIn('tax_items', 'amount')].flatMap(decimalOf);
}
