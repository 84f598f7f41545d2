import { html as xml } from './html.ts';

/** One statement in the form of a test. `failure`: why it does not hold; null when it does. */
export interface JUnitCase {
  readonly name: string;
  readonly failure: string | null;
  /** Something to know that is no failure. */
  readonly output?: string;
  /** Why it could not be tried. */
  readonly error?: string;
  /** How long it took, where it took time of its own. */
  readonly seconds?: number;
}

/** Cases that belong together. */
export interface JUnitSuite {
  readonly name: string;
  readonly cases: readonly JUnitCase[];
  readonly properties: Readonly<Record<string, string | number>>;
  /** How long all cases took together. */
  readonly seconds: number;
}

/** Suites as a JUnit file. `name`: of all suites together; `seconds`: the time that they took. */
export function junitText(name: string, suites: readonly JUnitSuite[], seconds: number): string {
  const failuresOf = (cases: readonly JUnitCase[]): number =>
    cases.filter(({ failure }) => failure !== null).length;
  const errorsOf = (cases: readonly JUnitCase[]): number =>
    cases.filter(({ error }) => error !== undefined).length;
  const all = suites.flatMap(({ cases }) => cases);
  const written = suites.map(
    (suite) => xml`
  <testsuite name="${suite.name}" tests="${suite.cases.length}" failures="${failuresOf(suite.cases)}" errors="${errorsOf(suite.cases)}" skipped="0" time="${suite.seconds.toFixed(3)}">
    <properties>${Object.entries(suite.properties).map(
      ([key, value]) => xml`
      <property name="${key}" value="${value}"/>`,
    )}
    </properties>${suite.cases.map(
      (each) => xml`
    <testcase classname="${suite.name}" name="${each.name}" time="${(each.seconds ?? 0).toFixed(3)}"${
      each.error === undefined && each.failure === null && each.output === undefined
        ? xml`/>`
        : xml`>${partsOf(each)}
    </testcase>`
    }`,
    )}
  </testsuite>`,
  );
  return xml`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="${name}" tests="${all.length}" failures="${failuresOf(all)}" errors="${errorsOf(all)}" time="${seconds.toFixed(3)}">${written}
</testsuites>
`.markup;
}

function partsOf({ error, failure, output }: JUnitCase) {
  const lines = (text: string) => text.split('\n').map((line) => xml`${line}\n`);
  return [
    error !== undefined && xml`\n      <error message="${error}"/>`,
    failure !== null &&
      xml`\n      <failure message="${failure.split('\n')[0]!}">${lines(failure)}</failure>`,
    output !== undefined && xml`\n      <system-out>${lines(output)}</system-out>`,
  ];
}
