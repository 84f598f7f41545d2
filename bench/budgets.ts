import { type Comparison, middle, type Quantity, ratio } from './comparison.ts';

/** A bound that a figure has to keep. */
export interface Budget {
  readonly figure: string;
  readonly bound: { readonly atLeast: number } | { readonly atMost: number };
  readonly unit?: 'MB';
  /** Why it is not met, where that is known: where the time goes, and what it would take. */
  readonly gap?: string;
  /** The figure; undefined when its comparison was not measured. */
  measured(of: Measured): number | undefined;
}

/** A budget with its figure. */
export interface BudgetResult extends Omit<Budget, 'measured'> {
  readonly measured: number | undefined;
  readonly isMet: boolean | undefined;
}

/** Comparisons by id. */
type Measured = ReadonlyMap<string, Comparison>;

const MB = 1e6;

/** Every figure that the product promises, as a bound of this bench. */
const BUDGETS: readonly Budget[] = [
  {
    figure: 'check ÷ csv-parse, rows/s, flat rows',
    bound: { atLeast: 0.6 },
    gap: 'One thread cuts the file into cells; the other, which maps and checks, takes longer.',
    measured: speedup('read plain', 'check', 'csv-parse'),
  },
  {
    figure: 'check ÷ csv-parse, rows/s, line items in 30 % of the rows',
    bound: { atLeast: 0.45 },
    gap: 'The same, and every line item is parsed with all digits.',
    measured: speedup('read nested', 'check', 'csv-parse'),
  },
  {
    figure: 'check ÷ csv-parse, CPU, flat rows',
    bound: { atMost: 2.5 },
    gap: 'Cutting the file into cells takes a quarter of it, mapping and checking half, the start a tenth.',
    measured: quotient('read plain', 'cpuMs', 'check', 'csv-parse'),
  },
  {
    figure: 'check --shard 1/4 ÷ check, wall',
    bound: { atMost: 0.4 },
    gap: 'Every row is read and counted, because control records are about all rows.',
    measured: quotient('read shard', 'wallMs', 'check --shard 1/4', 'check'),
  },
  {
    figure: 'staging ÷ csv-parse, rows/s, flat rows',
    bound: { atLeast: 0.5 },
    gap: 'Staging also writes each record, with its hashes, into the journal: 30 µs a row.',
    measured: speedup('stage plain', 'push to its first batch', 'csv-parse'),
  },
  {
    figure: 'push ÷ naive Node script, against serve',
    bound: { atLeast: 1.2 },
    gap: 'The server takes half of the time, for both, and staging the rest. The script keeps no journal.',
    measured: speedup('push serve', 'push', 'naive Node'),
  },
  {
    figure: 'push ÷ naive Python script, against serve',
    bound: { atLeast: 1.5 },
    measured: speedup('push serve', 'push', 'naive Python'),
  },
  {
    figure: 'push ÷ naive Node script, answers after 20 ms',
    bound: { atLeast: 10 },
    gap: 'The script sleeps most of the time, and we compute: the start, staging and 0.6 ms a request. So the figure grows with the speed of the processor.',
    measured: speedup('push 20 ms', 'push', 'naive Node'),
  },
  {
    figure: 'push ÷ naive Python script, answers after 20 ms',
    bound: { atLeast: 6 },
    measured: speedup('push 20 ms', 'push', 'naive Python'),
  },
  {
    figure: 'sending ÷ bare undici loop, answers after 20 ms',
    bound: { atLeast: 0.9 },
    measured: speedup('drain 20 ms', 'resume', 'undici loop'),
  },
  {
    figure: 'sending ÷ bare undici loop, answers at once',
    bound: { atLeast: 0.7 },
    gap: 'The loop reads no answer and writes nothing down. A resume also checks the journal and erases texts.',
    measured: speedup('drain', 'resume', 'undici loop'),
  },
  {
    figure: 'serve ÷ bare node:http with the same work, rows/s',
    bound: { atLeast: 0.7 },
    gap: 'It also reads exact numbers, looks for each record, keeps a log and answers in full.',
    measured: speedup('serve', 'serve', 'node:http'),
  },
  {
    figure: 'serve ÷ bare node:http with the same work, rows per CPU second',
    bound: { atLeast: 0.6 },
    measured: quotient('serve', 'cpuMs', 'node:http', 'serve'),
  },
  {
    figure: 'peak memory of check, 10 M rows ÷ 100,000 rows',
    bound: { atMost: 1.5 },
    measured: (of) => {
      const [small, large] = [peakOf(of, 'growth check 100000'), peakOf(of, 'growth check 10000000')];
      return small === undefined || large === undefined ? undefined : large / small;
    },
  },
  {
    figure: 'peak memory of check, 10 M rows',
    bound: { atMost: 420 },
    unit: 'MB',
    measured: (of) => peakOf(of, 'growth check 10000000'),
  },
  {
    figure: 'temporary files of check, 10 M rows',
    bound: { atMost: 200 },
    gap: 'Hashes of all ids, sorted on disk.',
    unit: 'MB',
    measured: (of) => megabytes(of.get('growth check 10000000'), 'check', 'diskBytes'),
  },
  {
    figure: 'push of a version that has arrived ÷ sha256sum of its file, 10 M rows, wall',
    bound: { atMost: 1.5 },
    measured: quotient('again same 10000000', 'wallMs', 'push of the same version', 'sha256sum'),
  },
  {
    figure: 'push of another version of 1 M rows, 1,000 of them new ÷ check of it, wall',
    bound: { atMost: 1.4 },
    measured: quotient('again other 1000000', 'wallMs', 'push of another version', 'check'),
  },
  {
    figure: 'peak memory of a push of another version, 10 M rows and 10 M in the history',
    bound: { atMost: 420 },
    unit: 'MB',
    measured: (of) => megabytes(of.get('again other 10000000'), 'push of another version', 'peakBytes'),
  },
  {
    figure: 'verify ÷ check, 100,000 rows, wall',
    bound: { atMost: 2 },
    gap: 'It keeps every record with its hashes, as staging does, and computes the chain anew.',
    measured: quotient('verify', 'wallMs', 'verify', 'check'),
  },
  {
    figure: 'push of one row beside 100 finished runs ÷ in an empty folder, wall',
    bound: { atMost: 1.2 },
    measured: quotient('folder', 'wallMs', 'beside 100 finished runs', 'empty folder'),
  },
  {
    figure: '--version ÷ node -e 0, wall',
    bound: { atMost: 1.6 },
    measured: quotient('start --version', 'wallMs', '--version', 'node -e 0'),
  },
  {
    figure: 'check of one row ÷ node -e 0, wall',
    bound: { atMost: 4 },
    gap: 'Node itself takes a quarter, and loading modules half.',
    measured: quotient('start check', 'wallMs', 'check of one row', 'node -e 0'),
  },
  {
    figure: 'serve until it is ready ÷ node -e 0, wall',
    bound: { atMost: 4 },
    measured: quotient('start serve', 'wallMs', 'serve ready', 'node -e 0'),
  },
  {
    figure: 'serve with 50,000 accounts ÷ with none, until it is ready, wall',
    bound: { atMost: 8 },
    measured: seeded(quotient('seed', 'wallMs', 'serve with accounts', 'serve without')),
  },
  {
    figure: 'peak memory of serve with 50,000 accounts',
    bound: { atMost: 200 },
    unit: 'MB',
    measured: seeded((of) => megabytes(of.get('seed'), 'serve with accounts', 'peakBytes')),
  },
];

/** Every budget with its figure in these comparisons. */
export function budgetResults(comparisons: readonly Comparison[]): readonly BudgetResult[] {
  const of = new Map(comparisons.map((comparison) => [comparison.id, comparison]));
  return BUDGETS.map((budget) => {
    const measured = budget.measured(of);
    const isMet = measured === undefined ? undefined : headroom(budget.bound, measured) >= 1;
    return { ...budget, measured, isMet };
  });
}

/** How far a figure is on the right side of its bound: 1 is the bound, 2 twice as good. */
function headroom(bound: Budget['bound'], measured: number): number {
  return 'atLeast' in bound ? measured / bound.atLeast : bound.atMost / measured;
}

/** How many times faster one program is than another. */
function speedup(id: string, side: string, other: string): Budget['measured'] {
  return quotient(id, 'wallMs', other, side);
}

function quotient(id: string, quantity: Quantity, side: string, other: string): Budget['measured'] {
  return (of) => {
    const comparison = of.get(id);
    return comparison && ratio(comparison, quantity, [side, other]);
  };
}

/** A figure of the seed, if the seed has the 50,000 accounts that the budget is about. */
function seeded(measured: Budget['measured']): Budget['measured'] {
  return (of) => (of.get('seed')?.rows === 50_000 ? measured(of) : undefined);
}

function peakOf(of: Measured, id: string): number | undefined {
  return megabytes(of.get(id), 'check', 'peakBytes');
}

function megabytes(comparison: Comparison | undefined, side: string, quantity: Quantity): number | undefined {
  return comparison && middle(comparison, side, quantity) / MB;
}
