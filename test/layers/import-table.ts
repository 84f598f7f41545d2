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

/** The table "Direction of imports" of docs/ARCHITECTURE.md. A file belongs to the first layer that matches it. */
const layers: readonly Layer[] = [
  { files: /^core\//, mayImport: [/^core\//], mayUseNode: NO_NODE },
  // The few functions on files that both ends of the wire need. Core is pure, so they cannot be there.
  { files: /^files\//, mayImport: [/^core\//, /^files\//], mayUseNode: /^node:(fs|path)$/ },
  {
    files: /^cli\/push\//,
    mayImport: [/^core\//, /^cli\/(push|csv|mapping)\//],
    mayUseNode: NO_OUTSIDE,
  },
  { files: /^cli\/csv\//, mayImport: [/^core\//, /^cli\/csv\//], mayUseNode: NO_NETWORK },
  // Mapping imports the type of the rows that csv reads. The reverse is forbidden.
  {
    files: /^cli\/mapping\//,
    mayImport: [/^core\//, /^cli\/(csv|mapping)\//],
    mayUseNode: NO_OUTSIDE,
  },
  {
    // Profiles a file and drafts a mapping from it.
    files: /^cli\/inspect\//,
    mayImport: [/^core\//, /^cli\/(inspect|csv|mapping)\//],
    mayUseNode: NO_OUTSIDE,
  },
  {
    files: /^cli\/run-file\//,
    // The run file stores plain data of a source and its columns.
    mayImport: [
      /^(core|files)\//,
      /^cli\/run-file\//,
      PORTS,
      /^cli\/(csv\/source-row|mapping\/(column-map|join-store))\.ts$/,
    ],
    mayUseNode: NO_NETWORK,
  },
  { files: /^cli\/client\//, mayImport: [/^core\//, /^cli\/client\//, PORTS], mayUseNode: ANY_NODE },
  {
    files: /^cli\/render\//,
    mayImport: [
      /^core\//,
      /^cli\/render\//,
      PORTS,
      /^cli\/(push\/events|inspect\/inspection|exit-codes|io)\.ts$/,
    ],
    mayUseNode: NO_NETWORK,
  },
  {
    files: /^cli\/replay\//,
    mayImport: [/^core\//, /^cli\/(replay|render)\//, PORTS, /^cli\/(exit-codes|io|text-file)\.ts$/],
    mayUseNode: NO_NETWORK,
  },
  {
    // The only bridge between the two ends of the wire.
    files: /^cli\/commands\/(demo|serve|serve-behaviour|replay)(\.ts|\/)/,
    mayImport: [/^(core|files)\//, /^cli\//, /^server\/(start|platform\/behaviour|faults\/plan-file)\.ts$/],
    butNot: [[/^core\/rules\//, 'a command contains no rules']],
    mayUseNode: NO_NETWORK,
  },
  {
    files: /^cli\/commands\//,
    mayImport: [/^(core|files)\//, /^cli\//],
    butNot: [[/^core\/rules\//, 'a command contains no rules']],
    mayUseNode: NO_NETWORK,
  },
  // The real clock, streams and environment, for the types that their users declare.
  { files: /^cli\/io\.ts$/, mayImport: [/^core\//, /^cli\/[^/]+\.ts$/, PORTS], mayUseNode: ANY_NODE },
  {
    files: /^cli\/settings\//,
    mayImport: [/^core\//, /^cli\/(settings\/|[^/]+\.ts$)/],
    mayUseNode: NO_NETWORK,
  },
  { files: /^cli\/[^/]+\.ts$/, mayImport: [/^(core|files)\//, /^cli\//], mayUseNode: NO_NETWORK },
  { files: /^server\//, mayImport: [/^(core|files)\//, /^server\//], mayUseNode: ANY_NODE },
];

/** Package → the files that may import it. A package that is not listed here may be imported nowhere. */
const homes: Readonly<Record<string, RegExp>> = {
  'better-sqlite3': /^(cli\/run-file|server\/store)\//,
  'big.js': /^core\/values\//,
  'cli-table3': /^cli\/render\//,
  commander: /^cli\/([^/]+\.ts$|commands\/)/,
  'csv-parse': /^cli\/csv\//,
  'csv-stringify': /^cli\/render\//,
  diff: /^cli\/replay\//,
  'env-paths': /^cli\/(io\.ts$|settings)/,
  ora: /^cli\/render\//,
  'temporal-polyfill': /^(core\/values|cli\/mapping)\//,
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
