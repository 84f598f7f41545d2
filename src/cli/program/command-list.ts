import type { CommandDeclaration, CommandGroup, ListedCommand } from '../command/command.ts';
import type { AdminName } from '../admin/admin-actions.ts';

/**
 * Every command, in the order in which help lists them. A command is loaded when its name is typed, because all of them
 * together would make `--help` three times as slow.
 */
export const COMMANDS: readonly ListedCommand[] = [
  ...group('Migrate', {
    init: ['Draft mappings for files, or prepare a whole folder of exports', () => import('../init/init.ts')],
    check: ['Read and check CSV files, or a mapping alone; send nothing', () => import('../check/check.ts')],
    push: ['Send the records of CSV files to the platform', () => import('../commands/push.ts')],
    migrate: [
      'Send a whole cohort: several resources, account by account',
      () => import('../migrate/migrate.ts'),
    ],
    resume: ['Continue the last push or migrate; needs no arguments', () => import('../resume/resume.ts')],
    verify: ['Say whether everything arrived, and what is left to do', () => import('../verify/verify.ts')],
  }),
  ...group('Look', {
    'contract import': [
      "Make a contract of an operator's OpenAPI document",
      () => import('../contract/contract-import.ts'),
    ],
    'contract show': [
      'Show a contract: what it demands beyond the interface',
      () => import('../contract/contract-show.ts'),
    ],
    'contract diff': [
      'Compare two contracts: what became tighter',
      () => import('../contract/contract-diff.ts'),
    ],
    runs: [
      'List the commands that were typed in this folder, and what is open',
      async () => ({ command: (await import('../runs/runs.ts')).runs }),
    ],
    'runs show': [
      'Show what has become of the files of a command',
      async () => ({ command: (await import('../runs/runs.ts')).runsShow }),
    ],
    'runs confirm': [
      'Record whether rows with a lost answer are on the platform',
      () => import('../runs/runs-confirm.ts'),
    ],
    'runs forget': [
      'Erase the texts of the records of a command',
      async () => ({ command: (await import('../runs/runs.ts')).runsForget }),
    ],
    status: [
      'Show the import status of one account',
      async () => ({ command: (await import('../commands/questions.ts')).status }),
    ],
    accounts: [
      'List the accounts of a supplier and whether they are imported',
      async () => ({ command: (await import('../commands/questions.ts')).accounts }),
    ],
    auth: [
      'Obtain a token and say who answers, without showing the token',
      async () => ({ command: (await import('../commands/questions.ts')).auth }),
    ],
    inspect: ['Find out what a file is: encoding, delimiter, columns', () => import('../inspect/inspect.ts')],
  }),
  ...group('Rehearse', {
    demo: ['Run a whole migration of sample data on this machine', () => import('../commands/demo.ts')],
    parity: [
      'Compare the local platform with a recording of a real one',
      () => import('../parity/parity.ts'),
    ],
    serve: ['Run a local platform to rehearse against', () => import('../serve/serve.ts')],
    replay: [
      'Run fixture migrations and compare them with their expectations',
      () => import('../replay/replay.ts'),
    ],
    try: ['Find out what your client does on a bad night', () => import('../try/try.ts')],
    ...operating({
      'admin supplier': 'List the suppliers, or set the status of one',
      'admin accounts': 'List the accounts and how far they are',
      'admin account': 'Show one account with all its records, or change its import',
      'admin reset': 'Drop all records and return to the seed',
      'admin faults': 'Show the active faults and how often each was hit, add some, or remove all',
      'admin clock': 'Show the clock of the platform, or change it',
      'admin snapshot': 'Save everything stored under a name, and restore it',
      'admin ledger': 'Print every stored record, or totals',
      'admin requests': 'Print the last requests and their answers',
    }),
  }),
  ...group('Help', {
    config: ['Show every setting and where it comes from', () => import('../commands/config.ts')],
    schema: ['Print the JSON Schema of a kind of files or documents', () => import('../commands/schema.ts')],
    completion: [
      'Print the script with which a shell completes command lines',
      () => import('../commands/completion.ts'),
    ],
    explain: ['Say what a code means and what to do about it', () => import('../commands/explain.ts')],
  }),
];

/** A command's summary, and its module. */
type Row = readonly [summary: string, load: () => Promise<{ readonly command: CommandDeclaration<object> }>];

function group(name: CommandGroup, rows: Readonly<Record<string, Row>>): readonly ListedCommand[] {
  return Object.entries(rows).map(([typed, [summary, load]]) => ({
    name: typed,
    group: name,
    summary,
    load: async () => (await load()).command,
  }));
}

/** The commands of `admin`, by their summaries. */
function operating(titles: Readonly<Record<AdminName, string>>): Readonly<Record<string, Row>> {
  const rows = Object.entries(titles).map(([name, summary]): [string, Row] => [
    name,
    [summary, async () => ({ command: (await import('../admin/admin.ts')).adminCommand(name as AdminName) })],
  ]);
  return Object.fromEntries(rows);
}
