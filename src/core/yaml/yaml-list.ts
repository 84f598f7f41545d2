import { isSeq, parseDocument } from 'yaml';

/** The text of a document with one more item in a list at its top. Comments and everything else stay. */
export function withListItem(text: string, key: string, item: string): string {
  const document = parseDocument(text);
  const list = document.get(key);
  if (isSeq(list)) list.add(item);
  else document.set(key, typeof list === 'string' ? [list, item] : [item]);
  return document.toString({ lineWidth: 0 });
}
