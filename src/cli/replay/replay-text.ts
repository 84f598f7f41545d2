import { counted, escapeControl } from '../render/text.ts';
import { OUTCOMES, type FolderOutcome } from './replay-document.ts';

/** One folder for people: what it came to, and what differs. */
export function folderText({ folder, outcome, steps, difference }: FolderOutcome): string {
  const head = `${outcome.padEnd(11)}  ${folder}  (${counted(steps, 'step')})`;
  const lines = outcome === 'different' ? (difference ?? '').trimEnd().split('\n') : [];
  return [head, ...lines.map((line) => `  ${line}`)].map((line) => `${escapeControl(line)}\n`).join('');
}

/** What all folders came to, and what to type next. */
export function closingText(folders: readonly FolderOutcome[]): string {
  const all = counted(folders.length, 'folder');
  const kinds = OUTCOMES.map((outcome) => ({
    outcome,
    names: folders.filter((each) => each.outcome === outcome).map(({ folder }) => folder),
  })).filter(({ names }) => names.length > 0);
  const summary = kinds.map(({ outcome, names }) => `${names.length} ${outcome}`).join(', ');
  const different = kinds.find(({ outcome }) => outcome === 'different')?.names ?? [];
  const next = `next: correct what changed, or accept it with \`dataimport replay --update ${different.join(' ')}\``;
  return [`${all}: ${summary}`, ...(different.length > 0 ? [next] : [])]
    .map((line) => `${escapeControl(line)}\n`)
    .join('');
}
