// What is known of each change, also from a run before.

import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Change } from './changes.ts';

/**
 * How the trials of a change ended. `missed`: tests ran its place, and none noticed it. `unrun`: no test runs its place. `ignored`: the code
 * says that it makes no difference, or its place runs once only, when its module is loaded.
 */
export interface Finding {
  readonly end: 'noticed' | 'missed' | 'unrun' | 'ignored';
  /** The file of tests that noticed it. */
  readonly by?: string | undefined;
}

/** The findings of a run and the hash of each file that they depend on. The findings of a file are in the order of its changes. */
interface Report {
  readonly tests: Readonly<Record<string, string>>;
  readonly sources: Readonly<
    Record<string, { readonly hash: string; readonly findings: readonly Finding[] }>
  >;
}

export class Findings {
  private readonly found = new Map<Change, Finding>();
  private readonly files: ReadonlyMap<string, readonly Change[]>;
  private readonly tests: Readonly<Record<string, string>>;
  private readonly root: string;
  private readonly report: string | undefined;

  constructor(
    root: string,
    changes: readonly Change[],
    tests: readonly string[],
    report: string | undefined,
  ) {
    this.root = root;
    this.report = report;
    this.files = Map.groupBy(changes, ({ file }) => file);
    this.tests = Object.fromEntries(tests.map((test) => [test, this.hashOf(test)]));
    for (const change of changes) if (change.isIgnored) this.found.set(change, { end: 'ignored' });
    if (report !== undefined && existsSync(report))
      this.take(JSON.parse(readFileSync(report, 'utf8')) as Report);
  }

  /** The changes of which nothing is known. */
  open(): readonly Change[] {
    return [...this.files.values()].flat().filter((change) => !this.found.has(change));
  }

  set(change: Change, finding: Finding): void {
    this.found.set(change, finding);
  }

  all(): readonly (readonly [Change, Finding])[] {
    return [...this.files.values()]
      .flat()
      .map((change) => [change, this.found.get(change) ?? { end: 'unrun' }]);
  }

  save(): void {
    if (this.report === undefined) return;
    const findings = new Map(this.all());
    const sources = [...this.files].map(([file, changes]) => [
      file,
      { hash: this.hashOf(file), findings: changes.map((change) => findings.get(change)!) },
    ]);
    const report: Report = { tests: this.tests, sources: Object.fromEntries(sources) };
    writeFileSync(this.report, JSON.stringify(report));
  }

  /** Takes what still holds: noticed by a file of tests that has not changed, or else tried by all tests of today as they are. */
  private take({ tests, sources }: Report): void {
    const isSame = Object.entries(this.tests).every(([test, hash]) => tests[test] === hash);
    for (const [file, changes] of this.files) {
      const before = sources[file];
      if (before?.hash !== this.hashOf(file)) continue;
      for (const [at, change] of changes.entries()) {
        const { by, ...finding } = before.findings[at]!;
        const isKept = by === undefined ? isSame : by in this.tests && tests[by] === this.tests[by];
        if (isKept) this.found.set(change, { ...finding, by });
      }
    }
  }

  private hashOf(file: string): string {
    return createHash('sha256')
      .update(readFileSync(join(this.root, file)))
      .digest('hex');
  }
}
