import { DESCRIPTORS, type Resource } from '../../../core/contract/resources.ts';
import { recordShape } from '../../mapping/language/fields.ts';
import { report, type SeenRecord, type StagedFile } from '../staged-file.ts';
import { contradictions } from './contradictions.ts';
import { IdentifierShapes } from './identifier-shapes.ts';
import { AmountSigns, FilledAmounts, MinorAmounts } from './odd-amounts.ts';
import { accountPeriods, itemPeriods, OddDates } from './odd-dates.ts';
import { OddTexts } from './odd-texts.ts';
import { namesSomething } from './plausible-text.ts';
import type { Oddity } from './tally.ts';

const ACCOUNT = 'external_account_number';

/** Everything odd about the records of a resource. Each value of a record is looked at once, by all oddities of its field. */
export class Oddities {
  private readonly ofFields: ReadonlyMap<string, readonly Oddity[]>;
  private readonly ofAccounts: Oddity = new IdentifierShapes('account');

  constructor(resource: Resource) {
    const { amount, dates, idField } = DESCRIPTORS[resource];
    const found: [string, Oddity][] = [];
    const add = (field: string, ...all: readonly Oddity[]): void =>
      all.forEach((each) => found.push([field, each]));
    if (amount)
      add(
        amount.field,
        amount.unit === 'minor' ? new MinorAmounts() : new AmountSigns(),
        new FilledAmounts(),
      );
    for (const { field } of dates) add(field, new OddDates());
    if (idField) add(idField, new IdentifierShapes('id'));
    for (const [name, shape] of Object.entries(recordShape(resource).fields)) {
      if (namesSomething(name) && name !== idField) add(name, new IdentifierShapes('name'));
      if (shape.kind === 'leaf' && shape.facts.kind === 'text' && !shape.facts.known && name !== ACCOUNT)
        add(name, new OddTexts(shape.facts.mayBeEmpty === true && !namesSomething(name)));
    }
    add('bill_period_from_date', accountPeriods());
    add('line_items', itemPeriods());
    for (const [field, contradiction] of contradictions()) add(field, contradiction);
    const all = Map.groupBy(found, ([field]) => field);
    this.ofFields = new Map([...all].map(([field, each]) => [field, each.map(([, oddity]) => oddity)]));
  }

  see(record: SeenRecord): void {
    const { fields, counted } = record;
    this.ofAccounts.see(counted.account.external_account_number, record);
    for (const field of Object.keys(fields)) {
      const oddities = this.ofFields.get(field);
      const value = fields[field];
      if (!oddities || value === undefined || value === null || value === '') continue;
      for (const oddity of oddities) oddity.see(value, record);
    }
  }

  report(file: StagedFile): void {
    for (const [field, oddities] of [[ACCOUNT, [this.ofAccounts]] as const, ...this.ofFields])
      for (const oddity of oddities)
        for (const [problem, first] of oddity.found(field)) report(file, problem, first);
  }
}
