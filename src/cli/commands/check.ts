import { instantOfClock } from '../../core/values/instant.ts';
import type { CommandContext, CommandDeclaration } from '../command.ts';
import type { ExitName } from '../exit-codes.ts';
import { stageRun, type StageEnd } from '../push/stage.ts';
import { checkDocumentOf, type Ending } from '../render/push-document.ts';
import { AS_RESULT, problemsText } from '../render/problems-text.ts';
import { checkSummary } from '../render/push-summary.ts';
import { RunFile } from '../run-file/run-file.ts';
import { tellGitHub } from './github-actions.ts';
import { listenForInterruption } from './interruption.ts';
import { rejectsNotes, targetsOfRejects } from './rejects-notes.ts';
import { declareSource, type SourceOptions } from './source-flags.ts';
import { contentHash, openSources, rejectedSources, stageJobOf } from './stage-sources.ts';

export const check: CommandDeclaration<SourceOptions> = {
  name: 'check',
  group: 'Migrate',
  summary: 'Read and check CSV files, send nothing',
  description:
    'Reads, maps and checks every row and prints every problem as file:line:column. Sends nothing and keeps nothing.',
  examples: [
    'dataimport check transactions transactions.csv',
    'dataimport check notes notes.csv --supplier ACME --json',
  ],
  settings: ['supplier', 'earliestDate'],
  declare: declareSource,
  run,
};

async function run(options: SourceOptions, context: CommandContext): Promise<ExitName> {
  const { io, globals } = context;
  const startedMs = io.timing.monotonicMs();
  const interruption = listenForInterruption(context);
  const rejects = targetsOfRejects(options, context);
  const sources = await openSources(options.file, context);
  const job = await stageJobOf(options, sources, context);

  // The same staging as that of push, into a run file that is thrown away.
  const createdAt = instantOfClock(startedMs);
  const run = RunFile.scratch({
    id: 'check',
    resource: options.resource,
    target: '',
    options: {
      checkPreviouslyAdded: true,
      forceAddToCurrentStatement: true,
      onReject: 'stop',
      onAmbiguous: 'resend',
    },
    parent: null,
    toolVersion: io.version(),
    createdAt,
    sources: sources.map(({ name, fingerprint }) => ({ name, ...fingerprint })),
    inputs: job.inputs,
    contentSha256: contentHash(sources),
  });
  context.onClose(() => run.close());
  const { showProgress } = await import('../render/progress.ts');
  const progress = await showProgress(context);
  context.onClose(progress.stop);
  const policy = { limits: null, skipInvalid: false };
  const ports = { emit: progress.emit, stopping: interruption.interrupt };
  const staged = await stageRun(job, policy, run, ports);
  progress.stop();

  const exit =
    staged.kind === 'interrupted' ? interruption.exit() : staged.kind === 'invalid' ? 'INPUT_INVALID' : 'OK';
  const ending: Ending = {
    exit,
    resumable: false,
    next: NEXT_STEP[staged.kind],
    durationMs: io.timing.monotonicMs() - startedMs,
    notes: await rejectsNotes(staged, { run, sources: rejectedSources(sources, job), targets: rejects }),
  };
  const report = run.report();
  context.document(checkDocumentOf(report, ending));
  // The problems are the result of a check, so they go where results go.
  if (!globals.json) {
    io.stdout.write(problemsText(report, AS_RESULT));
    io.stdout.write(checkSummary(report, ending));
  }
  tellGitHub(report, context);
  return exit;
}

const NEXT_STEP: Readonly<Record<StageEnd['kind'], string | null>> = {
  staged: null,
  invalid: 'correct what is wrong, then type the same command again',
  interrupted: 'type the same command again: the check is incomplete',
};
