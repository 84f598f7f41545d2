import { durationText } from '../../core/values/duration-text.ts';
import { nextStepOf, sentenceOf } from '../../core/error-codes/sentence.ts';
import type { ErrorCode } from '../../core/error-codes/table.ts';
import type { Facts } from '../../core/problem.ts';
import type { ProblemGroup } from '../push/ports/report.ts';
import type { OutputFlags, Part } from './result.ts';
import { warningsText } from './text/problem-list.ts';

/** What a command shows before it has a result. */
export type OutputEvent =
  /** An HTTP request ended (`--verbose`). */
  | Readonly<{
      kind: 'request';
      method: string;
      path: string;
      outcome: string | number;
      reason: string | null;
      duration_ms: number;
    }>
  /** The first end signal arrived. A command that sends finishes the requests in flight. */
  | Readonly<{ kind: 'stopping'; sends: boolean }>
  /** Something is unsafe, and the command goes on. */
  | Readonly<{ kind: 'warning'; code: ErrorCode; facts: Facts }>
  /** Warnings about the rows of files, before anything of them is sent. */
  | Readonly<{ kind: 'row_warnings'; groups: readonly ProblemGroup[] }>
  /** A fact that a person should know before the command goes on. `isMinor`: not beside a document, and not with --quiet. */
  | Readonly<{ kind: 'notice'; text: string; isMinor?: boolean }>
  /** The address that requests go to, and what set it. `isFile`: a file did, and nobody has typed the address. */
  | Readonly<{ kind: 'platform'; url: string; place: string; isFile: boolean }>
  /** A part of what the command is asked for. `line`: the same for a program, with --json. */
  | Readonly<{ kind: 'shown'; parts: readonly Part[]; line?: string }>;

const FINISHING = 'Finishing the requests in flight. Press Ctrl-C again to stop now.';

/** How an event is shown. Empty where the flags leave it out. */
export function shownEvent(event: OutputEvent, { json, quiet, verbose }: OutputFlags): readonly Part[] {
  const talks = (...lines: readonly string[]): readonly Part[] => lines.map((stderr) => ({ stderr }));
  switch (event.kind) {
    case 'request': {
      const { method, path, outcome, reason, duration_ms: ms } = event;
      const words = [method, path, outcome, reason, durationText(ms)].filter((word) => word !== null);
      return verbose ? talks(words.join(' ')) : [];
    }
    case 'stopping':
      // The terminal has shown ^C on the line.
      return talks('', event.sends ? FINISHING : 'Stopping.');
    case 'warning': {
      const { code, facts } = event;
      const warning = `dataimport: warning ${code} ${sentenceOf(code, facts)}`;
      return talks(warning, `next: ${nextStepOf(code, facts)}`);
    }
    case 'row_warnings':
      return [{ stderr: { lines: (paint) => warningsText(event.groups, paint) } }];
    case 'notice':
      return event.isMinor && (json || quiet) ? [] : talks(event.text);
    case 'platform': {
      const isShown = event.isFile || !(json || quiet) || verbose;
      return isShown ? talks(`platform: ${event.url}, set by ${event.place}`) : [];
    }
    case 'shown':
      return json && event.line !== undefined ? [{ lines: event.line }] : event.parts;
    default:
      return event satisfies never;
  }
}
