import { InvalidArgumentError } from 'commander';
import type { Reader } from './settings/reading.ts';

/** The reader of a setting's kind of value, as the parser of a flag. */
export function flagValue<T>(read: Reader<T>): (text: string) => T {
  return (text) => {
    const reading = read(text);
    if ('value' in reading) return reading.value;
    // The text that was typed is quoted in front of this by commander.
    throw new InvalidArgumentError(reading.reason);
  };
}

/** A flag that may be given several times. */
export function collect(text: string, earlier: readonly string[] = []): readonly string[] {
  return [...earlier, text];
}
