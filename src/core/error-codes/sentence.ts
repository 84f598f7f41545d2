import type { Facts } from '../problem.ts';
import { fileWord } from '../command-line.ts';
import { entryOf, type ErrorCode } from './table.ts';

export function sentenceOf(code: ErrorCode, facts: Facts = {}): string {
  return fill(entryOf(code).sentence, facts);
}

/** The next step of a code with its facts filled in. */
export function nextStepOf(code: ErrorCode, facts: Facts = {}): string {
  return fill(entryOf(code).next, facts);
}

/** What the author of another client than this one does about an answer with the code. The fact `advice` is known from more than the code. */
export function adviceForClients(code: ErrorCode, facts: Facts = {}): string {
  const { next, inRequest = next } = entryOf(code);
  return String(facts['advice'] ?? fill(inRequest, facts));
}

/** Sentence and next step of a code; null for a text that needs a fact which is not given. */
export function textsOf(code: ErrorCode, facts: Facts): { sentence: string | null; next: string | null } {
  const { sentence, next } = entryOf(code);
  const suffice = (template: string): boolean =>
    [...template.matchAll(PLACEHOLDER)].every(([, name]) => facts[name!] !== undefined);
  return {
    sentence: suffice(sentence) ? fill(sentence, facts) : null,
    next: suffice(next) ? fill(next, facts) : null,
  };
}

const PLACEHOLDER = /\{(\w+)\}/g;

/** A command, or a fact with its usual words, which may have facts and commands of their own. */
const PLACE = /`(dataimport [^`]*)`|(`?)\{(\w+)(?:\|((?:[^{}]|\{\w+\})*))?\}\2(\.$)?/g;

/** A fact that is not given becomes its usual words (`{of|the interface}`), else `…`, as in the general text of `dataimport explain`. */
function fill(template: string, facts: Facts): string {
  return template.replace(PLACE, (_, command?: string, quote = '', name = '', usual?: string, stop = '') => {
    if (command !== undefined) return `\`${fill(command, asWords(facts))}\``;
    const fact = facts[name];
    if (fact !== undefined) return `${quote}${fact}${quote}${stop}`;
    // Usual words are no name, so they have no quotes.
    if (usual !== undefined) return `${fill(usual, facts)}${stop}`;
    // `…` at the end of a sentence replaces the stop.
    return quote === '' ? '…' : `${quote}…${quote}${stop}`;
  });
}

/** The facts as words of a command line, because the reader copies the command into a shell. `command` has the words of a command. */
function asWords(facts: Facts): Facts {
  const word = (name: string, fact: string | number): string | number =>
    name === 'command' || typeof fact === 'number' ? fact : fileWord(fact);
  return Object.fromEntries(Object.entries(facts).map(([name, fact]) => [name, word(name, fact)]));
}

/** The sentence with the usual words of facts that have them. */
export function withUsualWords(template: string): string {
  return template.replaceAll(/\{\w+\|((?:[^{}]|\{\w+\})*)\}/g, '$1');
}
