import { failure, type Problem } from '../../core/problem.ts';
import { datePattern } from './date-format.ts';
import type { StepSpec } from './mapping-file/step-keys.ts';

/** What the formats of a date field leave open, and nothing else says. Paths are keys of the field. */
export function dateFormatNeeds(spec: StepSpec, kind: string): readonly Problem[] {
  const needs = spec.format.flatMap((format) => needsOf(format, spec, kind));
  return [...new Set(needs)].map((needed) => failure('mapping_needs', [], { needed }));
}

function needsOf(format: string, { time_zone, century, at }: StepSpec, kind: string): readonly string[] {
  const zone = time_zone === undefined ? [`\`time_zone\` for the format \`${format}\``] : [];
  if (format === 'iso') return [];
  if (format.startsWith('epoch_')) return kind === 'date' ? zone : [];
  if (format === 'excel_serial') return kind === 'datetime' ? zone : [];
  const pattern = datePattern(format);
  if (typeof pattern === 'string') return [];
  return [
    ...(pattern.hasShortYear && century === undefined
      ? [`\`century\` for the format \`${format}\`, such as 2000`]
      : []),
    ...(kind === 'datetime' && !pattern.hasOffset ? zone : []),
    ...(kind === 'datetime' && !pattern.hasTime && at === undefined
      ? [`\`at\`, a time of day, for the format \`${format}\``]
      : []),
  ];
}
