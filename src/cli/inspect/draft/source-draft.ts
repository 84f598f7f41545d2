import type { FileProfile } from '../inspection.ts';
import { conversionOf } from '../bytes/encoding-finding.ts';
import { comment, flowYaml, shownName, type Questions } from './draft-text.ts';
import { totalLines, trailerLines } from './total-draft.ts';
import { valueLines, type SourceSetting } from './value-draft.ts';

/** The lines of `source`, without their key. */
export function sourceLines(
  content: FileProfile,
  setting: SourceSetting,
  questions: Questions,
): readonly string[] {
  if (content.layout.isJsonLines) {
    const lines = [...comment('Each line is one object of JSON.'), 'type: jsonl'];
    return [...lines, ...valueLines(content, setting, questions)].map((line) => `  ${line}`);
  }
  return [
    ...encodingLines(content, setting.file, questions),
    ...delimiterLines(content, questions),
    ...stopLines(content),
    ...quoteLines(content),
    ...headerLines(content, questions),
    ...repeatedHeaderLines(content),
    ...totalLines(content, questions),
    ...valueLines(content, setting, questions),
    ...trailerLines(content, questions),
    ...endMarkLines(content),
  ].map((line) => `  ${line}`);
}

function encodingLines({ encoding }: FileProfile, file: string, questions: Questions): readonly string[] {
  const { name, certainty, because, candidates } = encoding;
  if (certainty === 'open') {
    const answers = candidates.map((each) => `${each.name} # ${each.words.map(shownName).join(' ')}`);
    const asRead = name === null ? '' : ` The names of columns below are read as ${name}.`;
    return questions.ask({
      text: `which encoding is the file in (${because})? Each answer has the same words of the file.${asRead}`,
      key: 'encoding',
      answers: [...answers, `utf-8 # ${conversionOf(file)}`].map((answer) => [answer]),
    });
  }
  return name === 'utf-8' ? comment(`UTF-8: ${because}.`) : [...comment(`${because}.`), `encoding: ${name}`];
}

function delimiterLines({ layout }: FileProfile, questions: Questions): readonly string[] {
  const { delimiter, certainty, because, candidates, hasPlaces } = layout;
  if (hasPlaces)
    return questions.ask({
      text: `at which places are the columns? No delimiter divides the rows, and ${because}.`,
      key: 'fixed',
      answers: [],
      how: 'Write them behind `fixed:`, such as [ { name: Account, width: 10 }, { skip: 2 } ], or remove the line if each line is one cell.',
    });
  if (certainty === 'open') {
    const answers = candidates.map((candidate) => [delimiterYaml(candidate.delimiter)]);
    return questions.ask({ text: `what divides the cells? ${because}`, key: 'delimiter', answers });
  }
  if (delimiter === null) return comment(`${because}.`);
  return [...comment(`${because}.`), `delimiter: ${delimiterYaml(delimiter)}`];
}

/** The delimiter in quotes. A tab in single quotes would be invisible. */
const delimiterYaml = (delimiter: string): string =>
  delimiter === '\t' ? String.raw`"\t"` : `'${delimiter}'`;

function stopLines({ table: { stop } }: FileProfile): readonly string[] {
  return stop === null ? [] : comment(`Reading ends at line ${stop.line}: ${stop.reason}.`);
}

function quoteLines({ layout }: FileProfile): readonly string[] {
  if (layout.quote === null)
    return [
      ...comment('Quotation marks are where none may open or close a cell, so they are part of the values.'),
      'quote: none',
    ];
  if (layout.escape !== '\\') return [];
  return [
    ...comment('Quotes inside of quoted cells follow a backslash and are never doubled.'),
    String.raw`escape: '\'`,
  ];
}

function headerLines({ layout, columns }: FileProfile, questions: Questions): readonly string[] {
  const { header } = layout;
  if (layout.hasPlaces) return [];
  if (!header.looksLikeHeader) {
    const names = columns.map(({ name }) => name);
    return questions.ask({
      text: `has the file no header? Line ${header.line} has no names.${header.line > 1 ? ' The lines above it have another number of cells than the rows.' : ''}`,
      key: 'header',
      answers: [['false']],
      besides: [`columns: ${flowYaml(names)}`],
      how: `If so, remove the "# " and name the columns. If line ${header.line} is a header, remove the lines \`header:\` and \`columns:\`.`,
    });
  }
  if (header.line === 1) return [];
  return [
    ...comment(`The header is line ${header.line}; the lines above it are passed over.`),
    'skip: until header',
  ];
}

function repeatedHeaderLines({ table: { repeatedHeaders } }: FileProfile): readonly string[] {
  const { count, lines } = repeatedHeaders;
  if (count === 0) return [];
  const times = count === 1 ? 'once more' : `${count} more times`;
  return [
    ...comment(`The header comes ${times} (first on line ${lines[0]}), as on the pages of a report.`),
    'repeated_header: skip',
  ];
}

const endMarkLines = ({ hasEndMark }: FileProfile): readonly string[] =>
  hasEndMark ? [...comment('The file ends in 1A, the end mark of DOS programs.'), 'end_mark: true'] : [];
