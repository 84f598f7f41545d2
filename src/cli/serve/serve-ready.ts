import { shellWord } from '../../core/command-line.ts';
import { jsonText } from '../output/json.ts';
import type { Part } from '../output/result.ts';
import { counted } from '../output/text/text.ts';

/** A local platform that listens, and how it was asked to behave. */
export interface ServeReady {
  readonly url: string;
  /** Id of this process's platform. */
  readonly instance: string;
  /** Keys of the seeds, and the suppliers that each is for; null for all. */
  readonly apiKeys: readonly { readonly key: string; readonly suppliers: readonly string[] | null }[];
  /** Whether --api-key gave a key. It is not repeated, because a terminal is no place for it. */
  readonly hasGivenKey: boolean;
  readonly counts: { readonly suppliers: number; readonly accounts: number; readonly records: number };
  /** Database file; null when everything is in memory. */
  readonly database: string | null;
  /** Flags that make it decide otherwise than by default. */
  readonly behaviour: readonly string[];
  /** Rules of active faults. */
  readonly faults: readonly string[];
}

/** One line, for the program that started this one. */
export function readyLine({ url, instance, apiKeys, hasGivenKey, faults }: ServeReady): string {
  const event = {
    event: 'ready',
    url,
    instance,
    api_key: hasGivenKey ? null : (apiKeys[0]?.key ?? null),
    ...(faults.length > 0 && { faults }),
  };
  return `${jsonText(event)}\n`;
}

export function readyParts(ready: ServeReady): readonly Part[] {
  const { url, counts, database } = ready;
  return [
    `dataimport serve is ready at ${url}`,
    `It has ${counted(counts.suppliers, 'supplier')}, ${counted(counts.accounts, 'account')} and ${counted(counts.records, 'record')}.`,
    'Open the address in a browser to watch the requests, and to see why one was refused.',
    ...(ready.behaviour.length === 0 ? [] : [`Behaviour: ${ready.behaviour.join(', ')}.`]),
    // Without this line a user would blame the platform for the faults.
    ...(ready.faults.length === 0
      ? []
      : [`It fails on purpose, by ${counted(ready.faults.length, 'rule')}:`]),
    ...ready.faults.map((rule) => `  ${rule}`),
    '',
    'In another terminal:',
    `  export DATAIMPORT_BASE_URL=${url}`,
    ...keyLines(ready),
    '',
    database === null
      ? `Everything received is in memory, and gone when this ends: ${url}/_local/ledger`
      : `Everything received is kept in ${database}: ${url}/_local/ledger`,
    'Stop with Ctrl-C.',
  ];
}

/** The first key with its supplier, and how many more keys there are. */
function keyLines({ apiKeys, hasGivenKey }: ServeReady): readonly string[] {
  if (hasGivenKey) return ['  DATAIMPORT_API_KEY is (the key given by --api-key)'];
  const [first, ...others] = apiKeys;
  if (!first) return ['  (no API key: give one with --api-key or a seed)'];
  const supplier = first.suppliers?.[0];
  return [
    `  export DATAIMPORT_API_KEY=${shellWord(first.key)}`,
    ...(supplier === undefined ? [] : [`  export DATAIMPORT_SUPPLIER=${shellWord(supplier)}`]),
    ...(others.length === 0 ? [] : [`  # ${counted(others.length, 'more key')}, see the seed`]),
  ];
}
