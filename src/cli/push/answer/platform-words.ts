import { literalPattern } from '../../../core/values/literal-pattern.ts';
import { DESCRIPTORS, type Resource } from '../../../core/contract/resources.ts';
import { withUsualWords } from '../../../core/error-codes/sentence.ts';
import { ERROR_CODES, isErrorCode } from '../../../core/error-codes/table.ts';
import { NON_FIELD, type Path } from '../../../core/problem.ts';
import { Decimal } from '../../../core/values/decimal.ts';
import { parseExactJson } from '../../../core/values/exact-json.ts';
import { fieldOfName } from '../../mapping/language/fields.ts';
import type { Batch } from '../ports/run.ts';

/**
 * A platform may quote the request in its texts: word for word, escaped, in another case, or in parts. So without
 * `--show-values` only texts are shown that are known to contain no value: sentences of the table of codes and of the
 * framework (deployments.md, "Framework behaviour"), with numbers of limits and days as their only facts. Words about the key, the supplier
 * or the address are shown, too, when none of them is in the request.
 */
export function isFreeOfValues(
  resource: Resource,
  batch: Batch,
  { words, status, isOfTheRun }: { words: string; status: number | null; isOfTheRun: boolean },
): boolean {
  if (isKnownText(resource, words)) return true;
  const isAboutContent = !isOfTheRun && (status === null || ABOUT_CONTENT.has(status));
  return !isAboutContent && PLAIN_SENTENCE.test(words) && hasNoValue(batch, words);
}

/** Statuses whose words are usually about records or an account. */
const ABOUT_CONTENT: ReadonlySet<number> = new Set([400, 404, 409, 422]);

/** Whether a text consists of sentences of the platform, with known names, codes and kinds of facts. */
export function isKnownText(resource: Resource, words: string): boolean {
  let rest = words;
  for (;;) {
    const match = SENTENCE.exec(rest);
    if (!match) return false;
    const { name, code, next } = match.groups!;
    if (name !== undefined && name !== 'transaction' && !isKnownName(resource, name)) return false;
    if (code !== undefined && !isErrorCode(code)) return false;
    if (next === undefined) return true;
    rest = rest.slice(match[0].length);
  }
}

function isKnownName(resource: Resource, name: string): boolean {
  const { list } = DESCRIPTORS[resource];
  const inner = list !== null && name.startsWith(`${list}.`) ? name.replace(/^\w+\.\d+\.?/, '') : name;
  return inner === '' || fieldOfName(resource, inner) !== undefined;
}

const DAY = String.raw`\d{4}-\d\d-\d\d`;

/** Facts that a sentence may contain. A sentence with another fact is not shown. */
const FACTS: Readonly<Record<string, string>> = {
  method: '[A-Z]{3,7}',
  media_type: String.raw`[a-z]+/[a-z0-9.+-]+(?:; charset=[A-Za-z0-9-]+)?`,
  limit: String.raw`\d{1,12}(?:\.\d{1,4})?(?: characters| elements)?`,
  today: DAY,
  from: DAY,
  to: DAY,
  expected: [
    'a calendar date YYYY-MM-DD',
    'a date-time YYYY-MM-DDTHH:MM:SSZ',
    'a plain decimal such as -1234.50',
    'a whole number of minor units, such as 5324 for 53.24',
    'well-formed Unicode text',
    'an object',
    'text',
    'true or false',
    'valid',
  ].join('|'),
};

/** Sentences of the framework behind the platform. A sentence that repeats the input is not among them. */
const FRAMEWORK = [
  'This field is required.',
  'This field may not be null.',
  'This field may not be blank.',
  'This list may not be empty.',
  'Not a valid string.',
  'Must be a valid boolean.',
  'A valid number is required.',
  'A valid integer is required.',
  'Null characters are not allowed.',
  'Ensure this field has no more than {limit}.',
  'Ensure this field has at least {limit}.',
  'Ensure this value is less than or equal to {limit}.',
  'Ensure this value is greater than or equal to {limit}.',
  'Ensure that there are no more than {limit} digits in total.',
  'Ensure that there are no more than {limit} decimal places.',
  'Ensure that there are no more than {limit} digits before the decimal point.',
  'Date has wrong format. Use one of these formats instead: YYYY-MM-DD.',
  'Not found.',
  'Account not found.',
  'Invalid token.',
  'Authentication credentials were not provided.',
  'You do not have permission to perform this action.',
  'Request was throttled.',
  'Method "{method}" not allowed.',
  'Unsupported media type "{media_type}" in request.',
];

const SENTENCES = [
  ...Object.values(ERROR_CODES).flatMap(({ status, sentence }) =>
    status === null ? [] : [withUsualWords(sentence)],
  ),
  ...FRAMEWORK,
].flatMap((sentence) => {
  const parts = sentence.split(/\{(\w+)\}/);
  const isKnown = parts.every((part, index) => index % 2 === 0 || Object.hasOwn(FACTS, part));
  return isKnown
    ? [parts.map((part, index) => (index % 2 === 0 ? literalPattern(part) : `(?:${FACTS[part]})`)).join('')]
    : [];
});

/** One sentence, with the field before it and the code behind it, as far as they are there, up to the next sentence. */
const SENTENCE = new RegExp(
  `^(?:(?<name>[a-z_]+(?:\\.[a-z0-9_]+)*): )?(?:${SENTENCES.join('|')})(?: \\((?<code>[a-z_]+)\\))?(?:(?<next>; )|$)`,
);

/** A name of the platform, such as its own code, that cannot be a value of a cell or a part of one. */
export function isPlainName(batch: Batch, name: string): boolean {
  if (!/^[a-z][a-z0-9_]{0,79}$/.test(name)) return false;
  const bare = name.replaceAll('_', '');
  return !wordsOf(batch).some((word) => bare.includes(word) || word.includes(bare));
}

/** Whether no word of a text contains a word of a value. */
export function hasNoValue(batch: Batch, text: string): boolean {
  const words = wordsIn(text.normalize());
  return !wordsOf(batch).some((value) =>
    words.some((word) => word === value || (value.length > SHORTEST_WORD && word.includes(value))),
  );
}

/** Words alone, and at least three: a value in another form, such as base64, is one word or has digits. */
const PLAIN_SENTENCE = /^\p{L}+(?:[ .,;:'-]+\p{L}+){2,}[.!]?$/u;

/** The part of a path into a request whose names are known or cannot be values. */
export function shownPath(resource: Resource, batch: Batch, path: Path): Path {
  const { list } = DESCRIPTORS[resource];
  const start = path[0] === list ? 2 : 0;
  const isShown = (part: string | number, at: number): boolean =>
    typeof part === 'number' ||
    part === NON_FIELD ||
    (at < start
      ? part === list
      : fieldOfName(resource, path.slice(start, at + 1).join('.')) !== undefined || isPlainName(batch, part));
  const end = path.findIndex((part, at) => !isShown(part, at));
  return end < 0 ? path : path.slice(0, end);
}

/** Shorter words identify no person, and occur in every name. */
const SHORTEST_WORD = 3;

/** The words of all values of a batch, in lower case. */
function wordsOf({ account, records }: Batch): readonly string[] {
  const sent = records.flatMap(({ payload }) => textsIn(parseExactJson(payload)));
  return [account.external_account_number, account.import_supplier, ...sent].flatMap(wordsIn);
}

function wordsIn(value: string): readonly string[] {
  const words = value.toLowerCase().split(/[^\p{L}\p{N}]+/u);
  return [...words, words.join('')].filter((word) => word.length >= SHORTEST_WORD);
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (value instanceof Decimal) return [value.text];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
