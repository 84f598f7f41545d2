import type { CommandDeclaration, CommandGroup, ListedCommand } from './command.ts';
import { ADMIN_TITLES, type AdminName } from './commands/admin-titles.ts';

/**
 * Every command, in the order in which help lists them. A command is loaded when its name is typed, because all of them
 * together would make `--help` three times as slow.
 */
export const COMMANDS: readonly ListedCommand[] = [
  ...group('Migrate', {
    check: [
      'Read and check CSV files, send nothing',
      async () => (await import('./commands/check.ts')).check,
    ],
    push: [
      'Send the records of CSV files to the platform',
      async () => (await import('./commands/push.ts')).push,
    ],
    resume: [
      'Go on with a run that did not finish',
      async () => (await import('./commands/resume.ts')).resume,
    ],
    retry: [
      'Send the refused or doubtful records of a run again',
      async () => (await import('./commands/retry.ts')).retry,
    ],
    'map init': [
      'Write a mapping for a file, from what the file shows',
      async () => (await import('./commands/map-init.ts')).mapInit,
    ],
    'map check': [
      'Check a mapping file, alone or with a file it is for',
      async () => (await import('./commands/map-check.ts')).mapCheck,
    ],
    'map preview': [
      'Show the exact request that one row becomes',
      async () => (await import('./commands/map-preview.ts')).mapPreview,
    ],
    'map schema': [
      'Print the JSON Schema of mapping files, for editors',
      async () => (await import('./commands/schema.ts')).mapSchema,
    ],
  }),
  ...group('Look', {
    runs: ['List the runs on this machine', async () => (await import('./commands/runs.ts')).runs],
    'runs show': ['Show what one run did', async () => (await import('./commands/runs.ts')).runsShow],
    'runs forget': [
      'Erase the payloads of a run',
      async () => (await import('./commands/runs.ts')).runsForget,
    ],
    status: [
      'Show how far the import of one account has come',
      async () => (await import('./commands/status.ts')).status,
    ],
    accounts: [
      'List the accounts of a supplier and whether they are imported',
      async () => (await import('./commands/accounts.ts')).accounts,
    ],
    'auth check': [
      'Obtain a token and say who answers, without showing it',
      async () => (await import('./commands/auth.ts')).authCheck,
    ],
    inspect: [
      'Find out what a file is: encoding, delimiter, columns',
      async () => (await import('./commands/inspect.ts')).inspect,
    ],
  }),
  ...group('Rehearse', {
    demo: [
      'Run a whole migration of sample data on this machine',
      async () => (await import('./commands/demo.ts')).demo,
    ],
    serve: [
      'Run the platform on this machine, to rehearse against',
      async () => (await import('./commands/serve.ts')).serve,
    ],
    'serve schema': [
      'Print the JSON Schema of seed files, for editors',
      async () => (await import('./commands/schema.ts')).serveSchema,
    ],
    replay: [
      'Run fixture migrations and compare with what they expect',
      async () => (await import('./commands/replay.ts')).replay,
    ],
    ...adminCommands(),
  }),
  ...group('Help', {
    explain: [
      'Say what a code means and what to do about it',
      async () => (await import('./commands/explain.ts')).explain,
    ],
  }),
];

type Row = readonly [summary: string, load: () => Promise<CommandDeclaration<object>>];

function group(name: CommandGroup, rows: Readonly<Record<string, Row>>): readonly ListedCommand[] {
  return Object.entries(rows).map(([typed, [summary, load]]) => ({
    name: typed,
    group: name,
    summary,
    load,
  }));
}

function adminCommands(): Readonly<Record<string, Row>> {
  const rows = Object.entries(ADMIN_TITLES).map(([name, summary]): [string, Row] => [
    name,
    [summary, async () => (await import('./commands/admin.ts')).adminCommand(name as AdminName)],
  ]);
  return Object.fromEntries(rows);
}
