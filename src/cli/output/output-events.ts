import { durationText } from '../../core/values/duration-text.ts';
import { nextStepOf, sentenceOf } from '../../core/error-codes/sentence.ts';
import type { ErrorCode } from '../../core/error-codes/table.ts';
import type { Facts } from '../../core/problem.ts';
import type { ProblemGroup } from '../push/ports/report.ts';
import type { OutputFlags, Shown } from './formats/result-formats.ts';
import { readyLine, readyText, type ServeReady } from './serve-ready.ts';
import type { Paint } from './text/paint.ts';
import { warningsText } from './text/problem-list.ts';
import { counted, escapedLines } from './text/text.ts';

/** How the replay of one folder ended. */
export const REPLAY_OUTCOMES = ['same', 'different', 'updated', 'interrupted'] as const;

export interface FolderOutcome {
  readonly folder: string;
  readonly outcome: (typeof REPLAY_OUTCOMES)[number];
  /** Number of command lines that were run. */
  readonly steps: number;
  /** A unified diff of expected.yaml and the replay; null when they are equal. */
  readonly difference: string | null;
}

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
  /** A fact that a person should know before the command goes on. */
  | Readonly<{ kind: 'notice'; text: string }>
  /** The address that requests go to, and what set it. `isFile`: a file did, and nobody has typed the address. */
  | Readonly<{ kind: 'platform'; url: string; place: string; isFile: boolean }>
  /** One folder of a replay ended. `messages`: standard error of its unexpected steps. */
  | Readonly<{ kind: 'replayed'; outcome: FolderOutcome; messages: readonly string[] }>
  | ({ readonly kind: 'serve_ready' } & ServeReady)
  | { readonly kind: 'serve_stopping' }
  /** A minute in which requests of the interface arrived at the local platform. */
  /** No request hit the rule of a fault, so the rule tested nothing. */
  /** Values in forms that the interface does not show. */
  | Readonly<{ kind: 'tolerated'; amount_as_text: number; other_offset: number }>
  | Readonly<{ kind: 'fault_unused'; rule: string }>;

/** How an event is shown. Empty where the flags leave it out. */
export function shownEvent(event: OutputEvent, { json, quiet, verbose }: OutputFlags, paint: Paint): Shown {
  switch (event.kind) {
    case 'request':
      return verbose ? [['stderr', requestLine(event)]] : [];
    case 'stopping':
      return [
        [
          'stderr',
          event.sends
            ? '\nFinishing the requests in flight. Press Ctrl-C again to stop now.\n'
            : '\nStopping.\n',
        ],
      ];
    case 'warning': {
      const { code, facts } = event;
      const line = `dataimport: warning ${code} ${sentenceOf(code, facts)}`;
      return [['stderr', escapedLines([line, `next: ${nextStepOf(code, facts)}`])]];
    }
    case 'row_warnings':
      return [['stderr', warningsText(event.groups, paint)]];
    case 'notice':
      return [['stderr', escapedLines([event.text])]];
    case 'platform': {
      const line = `platform: ${event.url}, set by ${event.place}`;
      return event.isFile || !(json || quiet) || verbose ? [['stderr', escapedLines([line])]] : [];
    }
    case 'replayed': {
      const messages = ['stderr', escapedLines(event.messages)] as const;
      return json ? [messages] : [['stdout', folderText(event.outcome)], messages];
    }
    case 'serve_ready':
      return json ? readyLine(event) : readyText(event);
    case 'serve_stopping':
      return json || quiet ? [] : [['stderr', 'stopping\n']];
    case 'tolerated': {
      const forms = [
        ...(event.amount_as_text > 0 ? [`${counted(event.amount_as_text, 'amount')} as text`] : []),
        ...(event.other_offset > 0
          ? [`${counted(event.other_offset, 'time')} with another offset than Z`]
          : []),
      ];
      return json || quiet
        ? []
        : [
            [
              'stderr',
              `tolerated: ${forms.join(', ')}; --behaviour strict refuses what the interface does not show\n`,
            ],
          ];
    }
    case 'fault_unused':
      return [['stderr', escapedLines([`fault never hit: ${event.rule}`])]];
    default:
      return event satisfies never;
  }
}

function requestLine(event: Extract<OutputEvent, { kind: 'request' }>) {
  const { method, path, outcome, reason, duration_ms } = event;
  const words = [method, path, outcome, reason, durationText(duration_ms)].filter((word) => word !== null);
  return escapedLines([words.join(' ')]);
}

/** How the replay of a folder ended, and what differs from its expectation. */
function folderText({ folder, outcome, steps, difference }: FolderOutcome): string {
  const head = `${outcome.padEnd(11)}  ${folder}  (${counted(steps, 'step')})`;
  const lines = outcome === 'different' ? (difference ?? '').trimEnd().split('\n') : [];
  return escapedLines([head, ...lines.map((line) => `  ${line}`)]);
}
