import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { RESOURCES, type Resource } from '../../../src/core/contract/resources.ts';
import { processIo } from '../../../src/cli/outside/io.ts';
import { runClient, type ClientSetup } from '../../../src/cli/try/client-run.ts';
import { trialOf } from '../../../src/cli/try/trial.ts';
import { whenOf } from '../../../src/cli/try/try-result.ts';
import { COMMAND, compiledCode } from '../../support/built-cli.ts';
import { generatedMigration } from '../generated-migration.ts';
import { violation } from '../invariants/violation.ts';
import { Tally, type CampaignResult, type FoundViolation } from './campaign-result.ts';
import { quickFolder } from './quick-folder.ts';

const SIZE = { accounts: 3, notes: 4, transactions: 4, statements: 3 };

/** `dataimport push` as the client of `dataimport try`, for each resource. Its requests time out before a slow answer. */
export async function tryCampaign({
  seed,
  count,
  resources = RESOURCES,
}: {
  readonly seed: number;
  /** Most runs with a fault of each resource. */
  readonly count: number;
  readonly resources?: readonly Resource[];
}): Promise<CampaignResult> {
  const started = performance.now();
  const folder = quickFolder();
  const [counts, events] = [new Tally(), new Tally()];
  const violations: FoundViolation[] = [];
  try {
    const migration = generatedMigration(seed, SIZE);
    for (const { resource, text } of migration.files.filter((file) => resources.includes(file.resource))) {
      const cwd = join(folder, resource);
      mkdirSync(cwd);
      writeFileSync(join(cwd, 'seed.yaml'), migration.seed);
      writeFileSync(join(cwd, 'rows.csv'), text);
      const io = processIo();
      const setup: ClientSetup = {
        command: [process.execPath, COMMAND, 'push', resource, 'rows.csv', '--batch-size', '2'],
        seeds: [join(cwd, 'seed.yaml')],
        contract: undefined,
        io: {
          ...io,
          cwd,
          env: { PATH: io.env['PATH'], HOME: cwd, ...compiledCode(), DATAIMPORT_TIMEOUT: '2s' },
        },
        stopping: new AbortController().signal,
      };
      const trial = await trialOf({
        run: (fault, limits) => {
          counts.add('runs');
          return runClient(fault, limits, setup);
        },
        timing: io.timing,
        stopping: setup.stopping,
        budgetMs: 3_600_000,
        mostRuns: count,
        jobs: 4,
        restart: true,
        showOutput: (output) => console.error(output),
      });
      counts.add('requests undisturbed', trial.undisturbed.requests.length);
      counts.add('records', trial.undisturbed.records.length);
      for (const [name, runs] of trial.struck) events.add(name, runs);
      for (const { finding, run } of trial.findings)
        violations.push({
          ...violation('I26', `${finding.kind}: ${finding.says}`),
          scenario: `seed ${seed}, ${resource}, when ${whenOf(run.fault)}`,
        });
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  const seconds = (performance.now() - started) / 1000;
  return { campaign: 'try', counts: counts.counts, events: events.counts, violations, seconds };
}
