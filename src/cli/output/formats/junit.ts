import { html as xml } from './html.ts';

/** One statement in the form of a test. `failure`: why it does not hold; null when it does. */
export interface JUnitCase {
  readonly name: string;
  readonly failure: string | null;
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
  const all = suites.flatMap(({ cases }) => cases);
  const written = suites.map(
    (suite) => xml`
  <testsuite name="${suite.name}" tests="${suite.cases.length}" failures="${failuresOf(suite.cases)}" errors="0" skipped="0" time="${suite.seconds.toFixed(3)}">
    <properties>${Object.entries(suite.properties).map(
      ([key, value]) => xml`
      <property name="${key}" value="${value}"/>`,
    )}
    </properties>${suite.cases.map(
      (each) => xml`
    <testcase classname="${suite.name}" name="${each.name}" time="0.000"${
      each.failure === null
        ? xml`/>`
        : xml`>
      <failure message="${each.failure.split('\n')[0]!}">${each.failure.split('\n').map((line) => xml`${line}\n`)}</failure>
    </testcase>`
    }`,
    )}
  </testsuite>`,
  );
  return xml`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="${name}" tests="${all.length}" failures="${failuresOf(all)}" errors="0" time="${seconds.toFixed(3)}">${written}
</testsuites>
`.markup;
}
