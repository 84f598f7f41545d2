import { builtinModules } from 'node:module';
import { posix } from 'node:path';
import { type SourceFile, specifiersOf } from '../support/source-tree.ts';

/** One layer of src and what its files may import. Patterns match paths below src. */
interface Layer {
  readonly files: RegExp;
  readonly mayImport: readonly RegExp[];
  /** Forbidden although `mayImport` allows it. The text is the reason. */
  readonly butNot?: readonly (readonly [RegExp, string])[];
  readonly mayUseNode: RegExp;
}

/** The interfaces that the engine needs from outside, and their data. */
const PORTS = /^cli\/push\/ports\//;
const ANY_NODE = /^/;
const NO_NODE = /(?!)/;
/** Node without its modules for the outside world and for the state of the process. */
const NO_OUTSIDE =
  /^node:(?!fs|process|child_process|cluster|https?|http2|net|tls|dgram|dns|sqlite|worker_threads)/;
const NO_NETWORK = /^node:(?!process|https?|http2|net|tls|dgram|sqlite)/;
/** The files of mapping that others may import. */
const MAPPING_ENTRIES = [
  'mapping-plan',
  'column-map',
  'joined-rows',
  'language/mapping',
  'language/fields',
  'language/currency-code',
  'language/date-format',
  'language/date-reader',
  'language/number-format',
  'language/source',
  'file/load-mapping',
  'file/mapping-problem',
  'compile/plan-by-header',
  'compile/plan-by-mapping',
  'compile/joined-files',
].join('|');
const MAPPING = new RegExp(`^cli/mapping/(${MAPPING_ENTRIES})\\.ts$`);
const NOT_INSIDE_MAPPING = [
  new RegExp(`^cli/mapping/(?!(${MAPPING_ENTRIES})\\.ts$)`),
  'import one of the entries of mapping',
] as const;

/** A command does not know the program that runs it. */
const NOT_PROGRAM = [/^cli\/(main\.ts$|program\/)/, 'the context of the command runs command lines'] as const;

/** What several features of the client share, and what each of them stands on. */
const ENGINE = /^cli\/(command|settings|outside|output|client|csv|mapping|push|journal|scratch|inspect)\//;

/** The table "Direction of imports" of docs/ARCHITECTURE.md. A file belongs to the first layer that matches it. */
const layers: readonly Layer[] = [
  { files: /^core\//, mayImport: [/^core\//], mayUseNode: NO_NODE },
  // The few functions on files that both ends of the wire need. Core is pure, so they cannot be there.
  { files: /^files\//, mayImport: [/^core\//, /^files\//], mayUseNode: /^node:(fs|path)$/ },
  {
    files: /^cli\/push\//,
    mayImport: [/^core\//, /^cli\/(push|csv)\//, MAPPING],
    mayUseNode: NO_OUTSIDE,
  },
  { files: /^cli\/csv\//, mayImport: [/^core\//, /^cli\/csv\//], mayUseNode: NO_NETWORK },
  // Mapping maps the rows that csv reads, so it knows their type; csv does not know mapping.
  // language (what a mapping can say) ← file (YAML → checked mapping), language ← compile (checked mapping → plan for rows).
  // The files beside these folders are what the plan of a mapping is for everybody else.
  {
    files: /^cli\/mapping\/[^/]+\.ts$/,
    mayImport: [/^core\//, /^cli\/csv\/source-row\.ts$/, /^cli\/mapping\/[^/]+\.ts$/],
    mayUseNode: NO_NODE,
  },
  {
    files: /^cli\/mapping\/language\//,
    mayImport: [/^core\//, /^cli\/csv\/source-(row|format)\.ts$/, /^cli\/mapping\/language\//],
    mayUseNode: NO_NODE,
  },
  {
    files: /^cli\/mapping\/file\//,
    mayImport: [/^core\//, /^cli\/csv\//, /^cli\/mapping\/(language|file)\//],
    mayUseNode: NO_OUTSIDE,
  },
  {
    files: /^cli\/mapping\/compile\//,
    mayImport: [/^core\//, /^cli\/csv\//, /^cli\/mapping\/([^/]+\.ts$|language\/|compile\/)/],
    mayUseNode: NO_OUTSIDE,
  },
  {
    // Profiles a file and drafts a mapping from it.
    files: /^cli\/inspect\//,
    mayImport: [/^core\//, /^files\//, /^cli\/(inspect|csv)\//, MAPPING, /^cli\/(command|output)\//],
    butNot: [NOT_PROGRAM],
    mayUseNode: NO_OUTSIDE,
  },
  {
    files: /^cli\/journal\//,
    // The journal stores plain data of a source and its columns.
    mayImport: [
      /^(core|files)\//,
      /^cli\/journal\//,
      PORTS,
      /^cli\/(csv\/source-row|mapping\/column-map)\.ts$/,
    ],
    mayUseNode: NO_NETWORK,
  },
  // Tables on disk that a command throws away.
  {
    files: /^cli\/scratch\//,
    mayImport: [
      /^(core|files)\//,
      /^cli\/scratch\//,
      PORTS,
      /^cli\/(mapping\/joined-rows|journal\/database\/run-database)\.ts$/,
    ],
    mayUseNode: NO_NETWORK,
  },
  { files: /^cli\/client\//, mayImport: [/^core\//, /^cli\/client\//, PORTS], mayUseNode: ANY_NODE },
  {
    files: /^cli\/output\//,
    mayImport: [/^core\//, /^cli\/output\//, PORTS, /^cli\/(push\/events|outside\/io)\.ts$/],
    mayUseNode: NO_NETWORK,
  },
  // The real clock, streams and environment, for the ports that others declare.
  { files: /^cli\/outside\//, mayImport: [/^core\//, /^cli\/outside\//, PORTS], mayUseNode: ANY_NODE },
  {
    files: /^cli\/settings\//,
    mayImport: [/^(core|files)\//, /^cli\/(settings|outside)\//],
    mayUseNode: NO_NETWORK,
  },
  // Keeps what a command exchanges with the platform. It knows the words of the fields, which no disguise changes.
  {
    files: /^cli\/recording\//,
    mayImport: [/^core\//, /^cli\/(recording|client)\//, MAPPING],
    mayUseNode: NO_NETWORK,
  },
  // What every command declares and is given.
  {
    files: /^cli\/command\//,
    mayImport: [/^(core|files)\//, /^cli\/(command|settings|outside|output|client|csv|push|recording)\//],
    mayUseNode: NO_NETWORK,
  },
  // What several features share. Each room knows those before it.
  sharedLayer('ending', []),
  sharedLayer('query', []),
  sharedLayer('sources', ['query']),
  sharedLayer('rejects', ['ending', 'sources']),
  sharedLayer('sending', ['ending', 'sources', 'rejects']),
  // The only bridge between the two ends of the wire.
  {
    files:
      /^cli\/(serve\/|parity\/|admin\/admin-actions|replay\/local-platform|try\/|commands\/(demo|schema))/,
    mayImport: [/^(core|files)\//, /^cli\//, /^server\/(start|options\/behaviour)\.ts$/],
    butNot: [[/^core\/rules\//, 'a command contains no rules'], NOT_INSIDE_MAPPING, NOT_PROGRAM],
    mayUseNode: NO_NETWORK,
  },
  {
    // A feature has its command, its logic and the result that it prints. The contract of an operator is read by its feature.
    files: /^cli\/(admin|check|commands|contract|init|migrate|replay|resume|runs|verify)\//,
    mayImport: [/^(core|files)\//, /^cli\//],
    butNot: [[/^core\/rules\//, 'a command contains no rules'], NOT_INSIDE_MAPPING, NOT_PROGRAM],
    mayUseNode: NO_NETWORK,
  },
  {
    files: /^cli\/(main\.ts$|program\/)/,
    mayImport: [/^(core|files)\//, /^cli\//],
    mayUseNode: NO_NETWORK,
  },
  // options, store, openapi and parity know core alone; what is further down knows what is above it.
  serverLayer('options', [], NO_NETWORK),
  serverLayer('store', [], NO_NETWORK),
  serverLayer('openapi', [], NO_NODE),
  serverLayer('parity', [], NO_NODE),
  serverLayer('http', ['options'], ANY_NODE),
  serverLayer('platform', ['options', 'store'], NO_OUTSIDE),
  serverLayer('faults', ['options', 'http'], ANY_NODE),
  serverLayer('seed', ['options', 'store', 'openapi', 'platform'], NO_OUTSIDE),
  serverLayer('auth', ['store', 'http', 'seed'], NO_OUTSIDE),
  serverLayer('local-server', ['options', 'store', 'http', 'platform', 'faults', 'seed', 'auth'], NO_OUTSIDE),
  serverLayer(
    'routes',
    ['options', 'store', 'openapi', 'parity', 'http', 'platform', 'faults', 'seed', 'auth', 'local-server'],
    NO_NETWORK,
  ),
  // The files of the page run in a browser.
  { files: /^server\/ui\//, mayImport: [/^server\/ui\//], mayUseNode: NO_NODE },
  serverLayer('pipeline', ['options', 'http', 'faults', 'auth', 'local-server', 'routes'], ANY_NODE),
  {
    files: /^server\/start\.ts$/,
    mayImport: [/^(core|files)\//, /^server\//],
    butNot: [
      [/^server\/(platform|routes|openapi|parity)\//, 'the pipeline has the routes, and they the rest'],
    ],
    mayUseNode: NO_NETWORK,
  },
  {
    files: /^server\/public\.ts$/,
    mayImport: [/^server\/(start\.ts$|options\/)/],
    mayUseNode: NO_NETWORK,
  },
];

/** A room of src/cli that features share: it imports core, the engine, itself, and the rooms named. */
function sharedLayer(room: string, rooms: readonly string[]): Layer {
  const named = [room, ...rooms].map((name) => new RegExp(`^cli/${name}/`));
  return {
    files: new RegExp(`^cli/${room}/`),
    mayImport: [/^(core|files)\//, ENGINE, ...named],
    butNot: [[/^core\/rules\//, 'a run contains no rules']],
    mayUseNode: NO_NETWORK,
  };
}

/** A folder of src/server: it imports core, itself, and the folders named. */
function serverLayer(folder: string, folders: readonly string[], mayUseNode: RegExp): Layer {
  const named = [folder, ...folders].map((name) => new RegExp(`^server/${name}/`));
  return { files: new RegExp(`^server/${folder}/`), mayImport: [/^(core|files)\//, ...named], mayUseNode };
}

/** Package → the files that may import it. A package that is not listed here may be imported nowhere. */
const homes: Readonly<Record<string, RegExp>> = {
  ajv: /^(core\/operator\/operator-check|cli\/contract\/openapi\/collect)\.ts$/,
  'better-sqlite3': /^(cli\/(journal|scratch)|server\/store)\//,
  '@duckdb/node-api': /^cli\/query\//,
  'big.js': /^core\/values\//,
  'fast-string-width': /^cli\/output\/text\//,
  commander: /^cli\/(?!push|csv|mapping|journal|client|output|outside|settings)/,
  'csv-parse': /^cli\/csv\//,
  'csv-stringify': /^cli\/output\/formats\/csv\.ts$/,
  diff: /^cli\/replay\//,
  'env-paths': /^cli\/(outside|settings)\//,
  htm: /^server\/ui\//,
  ora: /^cli\/output\//,
  re2js: /^core\/values\//,
  'temporal-polyfill': /^core\/values\//,
  undici: /^cli\/client\//,
  yaml: /^(core\/yaml|cli\/(replay|inspect))\//,
  zod: /^(core|cli|server)\//,
};

/** Package → the one entry of it that may be imported, and why no other. */
const entries: Readonly<Record<string, readonly [string, string]>> = {
  zod: [
    'zod/mini',
    'plain zod needs twice the time for a schema, and `serve` would be ready a twentieth later',
  ],
};

/** Every import of a file that the tables forbid, as `file → specifier: why`. */
export function violations(file: SourceFile): string[] {
  const layer = layers.find(({ files }) => files.test(file.path));
  if (layer === undefined) return [`${file.path}: belongs to no layer; give it a row in import-table.ts`];
  return specifiersOf(file).flatMap((specifier) => {
    const why = prohibition(file.path, layer, specifier);
    return why === undefined ? [] : [`${file.path} → ${specifier}: ${why}`];
  });
}

function prohibition(path: string, layer: Layer, specifier: string): string | undefined {
  if (specifier === '<computed>') return 'an import path has to be a string literal';
  if (specifier.startsWith('.')) return fileProhibition(path, layer, specifier);
  if (builtinModules.includes(specifier)) return `write node:${specifier}`;
  if (specifier.startsWith('node:')) {
    return layer.mayUseNode.test(specifier) ? undefined : `not for a file of ${readable(layer.files)}`;
  }
  const name = specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
  const home = homes[name];
  if (home === undefined) return 'the package has no home; give it one in import-table.ts';
  if (!home.test(path)) return `the package lives in ${readable(home)}`;
  const [entry, why] = entries[name] ?? [specifier];
  return specifier === entry ? undefined : `write ${entry}: ${why}`;
}

function fileProhibition(path: string, layer: Layer, specifier: string): string | undefined {
  const target = posix.join(posix.dirname(path), specifier);
  if (!layer.mayImport.some((allowed) => allowed.test(target)))
    return `not for a file of ${readable(layer.files)}`;
  return layer.butNot?.find(([banned]) => banned.test(target))?.[1];
}

function readable(pattern: RegExp): string {
  return pattern.source.replaceAll(/[\\^$]/g, '');
}
