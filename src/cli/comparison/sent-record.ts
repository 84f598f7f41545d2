import { isSameMoney } from '../../core/values/decimal.ts';
import type { SentRecord, SourceRecord } from './ports.ts';
import type { Verdict } from './reconcile.ts';

const EQUAL: Verdict = { code: null, fields: [] };

/** Facts that a row and its record share, by the names that messages have for them. */
const FACTS = {
  source: 'source',
  line: 'line',
  lastLine: 'line',
  byteStart: 'byte',
  byteEnd: 'byte',
} as const satisfies Partial<Record<keyof SentRecord & keyof SourceRecord, string>>;

/**
 * Compares a row with the record that a run has sent for it. `isSameFile`: whether the run read the very bytes of the source,
 * so that lines and bytes are equal, too.
 */
export function judgeSent(source: SourceRecord, sent: SentRecord, isSameFile: boolean): Verdict {
  const fields = new Set<string>();
  if (source.type !== sent.type) fields.add('type');
  if (source.amount !== sent.amount && !isSameMoney(source.amount, sent.amount)) fields.add('amount');
  // Equal values may be written otherwise in another version of the file.
  if (!source.content.equals(sent.content)) fields.add('content');
  // The checksum also covers the account, and items from other rows.
  if (isSameFile && source.form.equals(sent.form) && source.checksum !== sent.checksum && fields.size === 0)
    fields.add('checksum');
  if (isSameFile)
    for (const [fact, name] of Object.entries(FACTS) as [keyof typeof FACTS, string][])
      if (source[fact] !== sent[fact]) fields.add(name);
  if (fields.size > 0) return { code: 'record_differs', fields: [...fields] };
  const isAnswered = sent.answered === null || isSameMoney(source.amount, sent.answered);
  return isAnswered ? EQUAL : { code: 'record_differs', fields: ['answer'] };
}
