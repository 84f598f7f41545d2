import { cpSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chanceFrom, type Chance } from '../chance.ts';
import { violation, type Violation } from '../invariants/violation.ts';
import { canonical } from '../oracle/canonical.ts';
import { csvRows } from '../oracle/csv-rows.ts';
import { exactJson, type Exact } from '../oracle/exact-json.ts';
import { KIND_OF, type OracleRecord, type OracleResource } from '../oracle/records.ts';
import type { SeenRequest } from '../request-log.ts';
import { keyOf, LIST_OF } from '../simulated-answers.ts';
import {
  identityOf,
  identityOfRecord,
  LIFE_RESOURCES,
  newRow,
  recordOf,
  textOf,
  type LifeRow,
} from './life-files.ts';
import { KILL_PHASES, type Disturbance, type LifeEnded, type LifeWorld } from './life-world.ts';

/** How a life of a migration went. */
export interface LivedLife {
  readonly seed: number;
  /** The steps in words, each with the exit codes of its commands. */
  readonly steps: readonly string[];
  /** Names of the steps and of the disturbances. */
  readonly events: readonly string[];
  readonly commands: number;
  readonly requests: number;
  readonly rows: number;
  readonly violations: readonly Violation[];
}

/** A file with its rows. */
interface LifeFile {
  readonly resource: OracleResource;
  readonly name: string;
  rows: LifeRow[];
}

/** A command about some files. */
interface LifeCommand {
  readonly words: readonly string[];
  readonly files: readonly LifeFile[];
  /** Undefined without shards. */
  readonly shard: string | undefined;
}

type Counts = Readonly<Record<string, number>>;

/** The document of `push --json` and `migrate --json`. */
interface Reported {
  readonly rows?: Counts;
  readonly run?: string | null;
  readonly resources?: readonly { readonly run: string | null; readonly rows: Counts }[];
}

/** A record that was in flight when an answer was lost. */
interface Doubt {
  /** Whether no answer came. Otherwise the process died after the answer, and perhaps before it wrote it down. */
  readonly isCertain: boolean;
  readonly shard: string | undefined;
  /** The version of the file whose record it is. */
  readonly version: string;
}

const ACCOUNTS = ['7001', '7002', '7003'];

/** Flags that make many requests of few rows. */
const SMALL = ['--batch-size', '2', '-j', '2', '--retry-for', '30s'] as const;

/** Commands of the end until everything has to have arrived. */
const LAST_COMMANDS = 6;

/** Any steps, or only those in which an answer is lost before a row is added. */
export type LifeKind = 'any' | 'doubts';

/** Lives one migration. The seed decides everything in it. `steps`: most steps before everything is repaired. */
export async function livedLife(
  seed: number,
  world: LifeWorld,
  { kind, steps }: { readonly kind: LifeKind; readonly steps: number },
): Promise<LivedLife> {
  const chance = chanceFrom(seed);
  return new MigrationLife(seed, world, chance).lived(2 + chance.below(steps - 1), kind);
}

/** The accounts of every life. */
export const LIFE_ACCOUNTS: readonly string[] = ACCOUNTS;

class MigrationLife {
  private readonly seed: number;
  private readonly world: LifeWorld;
  private readonly chance: Chance;
  private readonly files: LifeFile[] = [];
  private readonly isCohort: boolean;
  private readonly shards: readonly (string | undefined)[];
  private readonly flags: readonly string[];
  private readonly steps: string[] = [];
  private readonly events: string[] = [];
  private readonly violations: Violation[] = [];
  private readonly staged = new Set<string>();
  private readonly refused = new Set<string>();
  /** Identities of records that a command reported to have arrived. */
  private readonly known = new Set<string>();
  /** These records, by `resource account record`. */
  private readonly arrived = new Set<string>();
  /** Records whose answer was lost, by `resource account record`. */
  private readonly doubts = new Map<string, Doubt>();
  /** Every record that ever was a row, as `resource account record`. */
  private readonly wished = new Set<string>();
  private numbers = 0;
  private commandsRun = 0;
  private acceptsExisting = false;

  constructor(seed: number, world: LifeWorld, chance: Chance) {
    this.seed = seed;
    this.world = world;
    this.chance = chance;
    this.isCohort = chance.below(4) === 0;
    this.shards = !this.isCohort && chance.below(5) === 0 ? ['1/2', '2/2'] : [undefined];
    const flag = (name: string, odds: number): readonly string[] =>
      chance.below(odds) === 0 ? name.split(' ') : [];
    this.flags = [...flag('--on-reject skip', 2), ...flag('--skip-invalid', 2)];
    const resources = this.isCohort
      ? LIFE_RESOURCES.filter((resource) => resource === 'notes' || chance.below(2) === 0)
      : [chance.pick(LIFE_RESOURCES)];
    for (const resource of resources) this.addFile(resource, `${resource}.csv`);
  }

  async lived(steps: number, kind: LifeKind): Promise<LivedLife> {
    for (const account of ACCOUNTS)
      if (this.chance.below(4) === 0) {
        this.staged.add(account);
        await this.world.setImported(account, false);
      }
    await this.step('begin', () => undefined);
    for (let step = 0; step < steps && this.violations.length === 0; step++)
      await (kind === 'any' ? this.randomStep() : this.doubtStep());
    if (this.violations.length === 0) await this.repaired();
    return {
      seed: this.seed,
      steps: this.steps,
      events: this.events,
      commands: this.commandsRun,
      requests: this.world.seen.length,
      rows: this.files.reduce((sum, { rows }) => sum + rows.length, 0),
      violations: this.violations,
    };
  }

  // Steps.

  private addFile(resource: OracleResource, name: string): LifeFile {
    const file: LifeFile = { resource, name, rows: [] };
    this.files.push(file);
    for (let rows = 2 + this.chance.below(5); rows > 0; rows--) this.addRow(file);
    return file;
  }

  private addRow(file: LifeFile): LifeRow | undefined {
    const { resource } = file;
    const all = this.files.filter((each) => each.resource === resource).flatMap(({ rows }) => rows);
    const row = newRow(resource, all, {
      number: this.numbers++,
      accounts: ACCOUNTS,
      chance: this.chance,
    });
    if (row) file.rows.push(row);
    return row;
  }

  private async randomStep(): Promise<void> {
    const { chance } = this;
    const roll = chance.below(100);
    if (roll < 45) await this.editStep();
    else if (roll < 70) await this.disturbedStep();
    else if (roll < 85) await this.causeStep();
    else await this.folderStep();
  }

  /** Changes rows, sometimes more than one. */
  private async editStep(): Promise<void> {
    const { chance } = this;
    const file = chance.pick(this.files);
    const at = chance.below(file.rows.length);
    const row = file.rows[at];
    const replaced = (next: Partial<LifeRow>): void => {
      file.rows[at] = { ...file.rows[at]!, ...next };
    };
    const kind = chance.pick([
      'add',
      'edit',
      'edit',
      'remove',
      'move',
      'break',
      'break',
      'repair',
      'repair',
      'respell',
      'another file',
      'nothing',
    ] as const);
    if (kind === 'add' || row === undefined) {
      await this.step(`add to ${file.name}`, () => void this.addRow(file), 'add');
      return;
    }
    const words = `${kind} row ${row.number} of ${file.name}`;
    const { resource } = row;
    switch (kind) {
      case 'edit':
        // Another reference is another wish for the only instruction of the account.
        await this.step(
          words,
          () =>
            replaced(
              resource === 'payment-instructions'
                ? { number: this.numbers++ }
                : { value: row.value + 1 + chance.below(5) },
            ),
          kind,
        );
        return;
      case 'remove':
        await this.step(
          words,
          () => {
            file.rows.splice(at, 1);
            // A file without rows is an error of its own.
            if (file.rows.length === 0) this.addRow(file);
            if (file.rows.length === 0) file.rows.push(row);
          },
          kind,
        );
        return;
      case 'move':
        if (resource === 'payment-instructions') return;
        await this.step(words, () => replaced({ account: chance.pick(ACCOUNTS) }), kind);
        return;
      case 'break':
        await this.step(words, () => replaced({ isBroken: true }), kind);
        return;
      case 'repair':
        await this.step(words, () => this.repairRows(file), kind);
        return;
      case 'respell':
        await this.step(words, () => replaced({ spelling: row.spelling === 0 ? 1 : 0 }), kind);
        return;
      case 'another file':
        if (this.isCohort || this.files.some(({ name }) => name === `${resource}-2.csv`)) return;
        await this.step(words, () => void this.addFile(resource, `${resource}-2.csv`), kind);
        return;
      case 'nothing':
        await this.step('the same again', () => undefined, kind);
        return;
      default:
        kind satisfies never;
    }
  }

  private repairRows(file: LifeFile): void {
    file.rows = file.rows.map((row) => ({ ...row, isBroken: false }));
  }

  /** Runs the command while something goes wrong. */
  private async disturbedStep(): Promise<void> {
    const { chance } = this;
    if (chance.below(2) === 0) {
      const file = chance.pick(this.files);
      this.addRow(file);
    }
    const at = 1 + chance.below(4);
    const disturbance = chance.pick<Disturbance | 'twice'>([
      { kind: 'kill', at, phase: chance.pick(KILL_PHASES) },
      { kind: 'kill', at, phase: chance.pick(KILL_PHASES) },
      { kind: 'kill at any time', after: chance.below(60) },
      { kind: 'signals', at, twice: chance.below(2) === 0 },
      { kind: 'server killed', at, applied: chance.below(2) === 0 },
      { kind: 'throttled', at },
      { kind: 'paused', at },
      'twice',
    ]);
    await this.disturbed(disturbance);
  }

  /** The process dies before it gets the answer about a new row, and the file has another row then. */
  private async doubtStep(): Promise<void> {
    const { chance } = this;
    const file = chance.pick(this.files);
    this.addRow(file);
    await this.disturbed({ kind: 'kill', at: 1, phase: chance.pick(['arrived', 'applied']) });
    await this.step(`add to ${file.name}`, () => void this.addRow(file), 'add');
  }

  private async disturbed(disturbance: Disturbance | 'twice'): Promise<void> {
    const name = disturbance === 'twice' ? 'two at once' : disturbance.kind;
    this.events.push(name);
    this.steps.push(`${name} ${disturbance === 'twice' ? '' : JSON.stringify(disturbance)}`);
    this.write();
    for (const command of this.commands())
      await this.run(command, disturbance === 'twice' ? { isTwice: true } : { disturbance });
  }

  /** Something that only the operator of the platform can change. */
  private async causeStep(): Promise<void> {
    const { chance, world } = this;
    const account = chance.pick(ACCOUNTS);
    if (this.staged.delete(account)) {
      await world.setImported(account, true);
      await this.step(`account ${account} is imported`, () => undefined, 'account');
      return;
    }
    if (!world.hasOperator) return;
    if (chance.below(3) === 0) {
      this.refuse();
      await this.step('the platform refuses nothing', () => undefined, 'refuse nothing');
      return;
    }
    const file = chance.pick(this.files);
    await this.step(
      `the platform refuses a new row of ${file.name}`,
      () => this.refuse(this.addRow(file)),
      'refuse',
    );
  }

  /** The platform refuses one more record, or no record any more. A record that it has is not refused. */
  private refuse(row?: LifeRow): void {
    if (row) this.refused.add(`${row.account} ${keyOfRow(row)}`);
    else this.refused.clear();
    this.world.refuse(new Set(this.refused));
  }

  /** Something that happens to the folder of the runs. */
  private async folderStep(): Promise<void> {
    const { chance, world } = this;
    const kind = chance.pick([
      'index',
      'index',
      'old copy',
      'old copy',
      'lost',
      'confirm',
      'confirm',
    ] as const);
    if (kind === 'index') {
      this.removeHeads();
      await this.step('the heads beside the journals are deleted', () => undefined, kind);
      return;
    }
    if (kind === 'confirm') {
      await this.confirmed();
      await this.step('a person confirms', () => undefined, kind);
      return;
    }
    if (kind === 'old copy') {
      await this.oldCopy();
      return;
    }
    // Without the folder nobody knows which content the platform got of a statement.
    if (this.files.some(({ resource }) => resource === 'payment-instructions')) return;
    if (
      !(await this.isAllEqual()) ||
      this.doubts.size > 0 ||
      this.files.some(({ rows }) => rows.some(isBroken))
    )
      return;
    rmSync(world.runs, { recursive: true, force: true });
    this.known.clear();
    this.acceptsExisting = true;
    await this.step('the folder is lost', () => undefined, 'lost');
  }

  private removeHeads(): void {
    for (const name of namesIn(this.world.runs))
      if (name.endsWith('.head')) rmSync(join(this.world.runs, name));
  }

  /** An older copy of a run that has gone on since must be refused, and nothing may be sent. */
  private async oldCopy(): Promise<void> {
    const { world } = this;
    const [command, ...others] = this.commands();
    const [file] = command!.files;
    // An instruction is not sent again after a 400.
    const isFit = world.hasOperator && file!.resource !== 'payment-instructions' && this.doubts.size === 0;
    if (this.isCohort || others.length > 0 || !isFit) return;
    await this.step('the platform refuses a new row', () => this.refuse(this.addRow(file!)), 'old copy');
    const copy = `${world.runs}-copy`;
    cpSync(world.runs, copy, { recursive: true });
    const before = world.seen.length;
    await this.step('it refuses nothing', () => this.refuse(), 'refuse nothing');
    const sent = world.seen.length;
    if (sent > before) {
      const newer = `${world.runs}-newer`;
      renameSync(world.runs, newer);
      cpSync(newer, world.runs, { recursive: true });
      for (const name of namesIn(copy))
        if (name.endsWith('.sqlite')) cpSync(join(copy, name), join(world.runs, name));
      const { exitCode, stdout } = await world.command(command!.words);
      this.steps.push(`the older copy is back: ${exitCode}`);
      if (exitCode !== 8 || !stdout.includes('run_rolled_back') || world.seen.length > sent)
        this.found('I19', `an older copy was not refused: exit ${exitCode}`);
      rmSync(world.runs, { recursive: true });
      renameSync(newer, world.runs);
      await this.step('the newer one is back', () => undefined, 'newer copy');
    }
    rmSync(copy, { recursive: true, force: true });
  }

  // The same command.

  private async step(words: string, change: () => void, event = words): Promise<void> {
    this.events.push(event);
    this.steps.push(words);
    change();
    this.write();
    for (const command of this.commands()) await this.run(command);
  }

  private write(): void {
    const { cwd } = this.world;
    for (const { resource, name, rows } of this.files) writeFileSync(join(cwd, name), textOf(resource, rows));
    if (this.isCohort) writeFileSync(join(cwd, 'cohort.yaml'), this.cohortText());
    for (const file of this.files)
      for (const row of file.rows) this.wished.add(`${row.resource} ${row.account} ${recordOf(row)}`);
  }

  private cohortText(): string {
    const resources = this.files.map(({ resource, name }) => `  ${resource}: { files: [${name}] }`);
    return ['version: 1', 'supplier: ACME', 'resources:', ...resources, ''].join('\n');
  }

  /** The commands of a step, always the same but for a word that a person adds. */
  private commands(): readonly LifeCommand[] {
    const common = [
      ...this.flags,
      ...(this.acceptsExisting ? ['--on-existing', 'accept'] : []),
      ...SMALL,
      '--json',
    ];
    if (this.isCohort)
      return [{ words: ['migrate', 'cohort.yaml', ...common], files: this.files, shard: undefined }];
    return this.files.flatMap((file) =>
      this.shards.map((shard) => ({
        words: [
          'push',
          file.resource,
          file.name,
          ...(shard === undefined ? [] : ['--shard', shard]),
          ...common,
        ],
        files: [file],
        shard,
      })),
    );
  }

  private async run(
    command: LifeCommand,
    how: { readonly disturbance?: Disturbance; readonly isTwice?: boolean } = {},
  ): Promise<LifeEnded> {
    const { world } = this;
    const before = world.seen.length;
    const ended = how.isTwice
      ? await world.twice(command.words)
      : [await world.command(command.words, how.disturbance)];
    this.commandsRun += ended.length;
    const isKilled = ended.some(({ exitCode, missesAnswers }) => exitCode === undefined || missesAnswers);
    this.steps.push(`  ${command.words.join(' ')} → ${ended.map(outcomeOf).join(', ')}`);
    await this.checkRequests(command, world.seen.slice(before), isKilled);
    for (const each of ended)
      await this.checkReport(command, each, how.disturbance !== undefined || how.isTwice);
    return ended.find(({ exitCode }) => exitCode === 0) ?? ended[0]!;
  }

  // What must hold.

  /** Nothing is sent that no file wishes, nothing twice, and doubts of other versions before everything else of their account. */
  private async checkRequests(
    { files, shard }: LifeCommand,
    seen: readonly SeenRequest[],
    isKilled: boolean,
  ): Promise<void> {
    const wishes = new Map(
      files.flatMap((file) =>
        file.rows
          .filter(({ isBroken: broken }) => !broken)
          .map((row) => [nameOf(row.resource, row.account, recordOf(row)), file] as const),
      ),
    );
    const ledger = await this.world.ledger();
    const fresh: string[] = [];
    /** Doubts that this command has settled, each with the order of the answer that did. */
    const settled: [name: string, doubt: Doubt, until: number][] = [];
    for (const { resource, account, body, keys, answer, start, end } of seen) {
      const file = files.find((each) => each.resource === resource);
      if (!file) {
        this.found('I19', `${resource} was sent, and the command has no such file`);
        continue;
      }
      const version = textOf(file.resource, file.rows);
      const names = recordsOf(resource, body).map((record) => nameOf(resource, account, record));
      for (const name of names) {
        const identity = identityOfName(name);
        if (this.known.has(identity)) this.found('I20', `${identity} was sent again`);
        const [there, ...others] = this.onOtherAccounts(resource, account, name);
        // An id that several accounts have is no sign of a move.
        const hasMoved = there !== undefined && others.length === 0 && this.arrived.has(there);
        if (hasMoved && !wishes.has(there))
          this.found('I20', `${identity} was sent again on another account`);
        if (!wishes.has(name) && !this.doubts.has(name))
          this.found('I19', `a record was sent that no row is: ${name.replaceAll('\n', ' ')}`);
      }
      const unsettled = settled.filter(([, , until]) => until > start.order);
      const open = [...this.doubts, ...unsettled].filter(
        ([name, doubt]) =>
          name.startsWith(`${resource} ${account} `) &&
          doubt.isCertain &&
          doubt.shard === shard &&
          doubt.version !== version &&
          !names.includes(name),
      );
      const isNew = names.every(
        (name) => !this.doubts.has(name) && !unsettled.some(([other]) => other === name),
      );
      for (const name of names) {
        const doubt = this.doubts.get(name);
        if (doubt && end) settled.push([name, doubt, end.order]);
      }
      if (isNew && open.length > 0)
        this.found('I21', `a new record was sent while ${open[0]![0].replaceAll('\n', ' ')} was in doubt`);
      const isRefused = (key: string): boolean => this.refused.has(`${account} ${key}`);
      const isForExisting =
        answer === 'present' &&
        resource === 'statements' &&
        !this.staged.has(account) &&
        !keys.some(isRefused);
      const isThere = (name: string): boolean => hasRecord(ledger, name);
      if (answer === undefined || answer === 'ambiguous')
        for (const name of names) {
          const before = this.doubts.get(name);
          // A record that no row of this command is was sent to settle the doubt of the version that has it.
          const isOfBefore = before && (before.isCertain || !wishes.has(name));
          const first = isOfBefore ? before.version : version;
          this.doubts.set(name, { isCertain: true, shard, version: first });
        }
      else if (answer === 'ok' || (isForExisting && names.every(isThere))) {
        for (const name of names) this.doubts.delete(name);
        fresh.push(...names);
      } else if (answer === 'present' && names.every((name) => !isThere(name)))
        for (const name of names) {
          this.doubts.delete(name);
          // A refusal may leave the records before the refused one on the platform.
          if (resource === 'transactions')
            this.doubts.set(name, { isCertain: false, shard, version: textOf(resource, file.rows) });
        }
      // A record that the platform refuses by its rule is not there, so nothing waits for it.
      else if (answer === 'present' && keys.some(isRefused)) {
        for (const [index, name] of names.entries())
          if (this.doubts.has(name) && isRefused(keys[index]!))
            this.doubts.set(name, { isCertain: false, shard, version: textOf(resource, file.rows) });
      }
      // The platform refuses a second instruction of an account, whatever the first one is. Only a person can settle the doubt.
      else if (answer === 'present' && resource === 'payment-instructions')
        for (const name of names)
          if (this.doubts.has(name)) this.doubts.set(name, { isCertain: false, shard, version });
    }
    if (isKilled) {
      // The process may have died before it wrote an answer down, or between a claim and its request.
      for (const [name, file] of wishes)
        if (!this.known.has(identityOfName(name)) && !this.doubts.has(name))
          this.doubts.set(name, { isCertain: false, shard, version: textOf(file.resource, file.rows) });
    } else
      for (const name of fresh) {
        this.known.add(identityOfName(name));
        this.arrived.add(name);
      }
  }

  /** The report adds up and is about the files, and the exit code is 0 if and only if everything has arrived. */
  private async checkReport(command: LifeCommand, ended: LifeEnded, isDisturbed = false): Promise<void> {
    const { exitCode, stdout, stderr } = ended;
    if (exitCode === undefined) return;
    const allowed = isDisturbed ? [0, 3, 4, 5, 6, 10, 130] : [0, 3, 4, 5, 6];
    if (!allowed.includes(exitCode)) {
      this.found('I10', `exit ${exitCode}: ${stdout}${stderr}`);
      return;
    }
    const { rows } = reportedBy(ended);
    if (rows === undefined) {
      if (exitCode === 0) this.found('I10', 'exit 0 without rows');
      return;
    }
    const { read = 0, ...ends } = rows;
    const sum = Object.values(ends).reduce((all, count) => all + count, 0);
    if (sum !== read) this.found('I2', `${read} rows read, ${sum} accounted for`);
    const wishes = command.files.flatMap(({ rows: all }) => all);
    // What another version left in doubt comes first. While it cannot be settled, the report is about that version.
    if ([4, 5, 130].includes(exitCode) && this.doubts.size > 0) return;
    const isWhole = exitCode !== 130 && command.shard === undefined;
    const inFiles = wishes.length;
    if (isWhole && read !== inFiles)
      this.found('I2', `${read} rows are reported, and the files have ${inFiles}`);
    const ledger = await this.world.ledger();
    const there = wishes.filter((row) => !row.isBroken && hasRow(ledger, row)).length;
    const arrived = ARRIVED.reduce((all, outcome) => all + (rows[outcome] ?? 0), 0);
    if (arrived > there) this.found('I6', `${arrived} rows are reported as arrived, and ${there} are there`);
    if (isWhole && exitCode === 0 && there < wishes.length)
      this.found('I10', `exit 0, and ${there} of ${wishes.length} rows are there`);
    // A signal can come before the rows of every file are read. Then all that were read may have arrived, and the end is not 0.
    const isUnread = exitCode === 130 && read < inFiles;
    if (!isUnread && (exitCode === 0) !== (arrived + (rows['filtered'] ?? 0) === read))
      this.found('I10', `exit ${exitCode} with ${JSON.stringify(rows)}`);
    const isRefused = this.refused.size + this.staged.size > 0;
    if (isWhole && !isDisturbed && !isRefused && there === wishes.length && exitCode !== 0) {
      const byPerson = (rows['verify'] ?? 0) + (rows['rejected'] ?? 0);
      if (arrived + byPerson + (rows['filtered'] ?? 0) < read)
        this.found('I10', `exit ${exitCode} although everything is there: ${JSON.stringify(rows)}`);
    }
    if ([0, 3, 6].includes(exitCode) && command.shard === undefined)
      for (const [name, { isCertain }] of this.doubts)
        if (!isCertain && command.files.some(({ resource }) => name.startsWith(`${resource} `)))
          this.doubts.delete(name);
    if (exitCode === 0 && command.shard === undefined)
      for (const row of wishes) {
        const name = nameOf(row.resource, row.account, recordOf(row));
        this.known.add(identityOf(row));
        this.arrived.add(name);
        this.doubts.delete(name);
      }
  }

  /** The records of the same id on other accounts. A note has no id that shows that it is the same. */
  private onOtherAccounts(resource: OracleResource, account: string, name: string): readonly string[] {
    if (resource === 'notes' || resource === 'payment-instructions') return [];
    const own = `${resource} ${account} `;
    return ACCOUNTS.filter((other) => other !== account)
      .map((other) => `${resource} ${other} ${name.slice(own.length)}`)
      .filter((other) => this.known.has(identityOfName(other)));
  }

  private found(invariant: Violation['invariant'], words: string): void {
    this.violations.push(violation(invariant, words));
  }

  private async isAllEqual(): Promise<boolean> {
    const ledger = await this.world.ledger();
    return this.files.every((file) =>
      file.rows.every((row) => {
        const there = recordWith(ledger, row);
        return there === undefined || there === recordOf(row);
      }),
    );
  }

  // The end.

  /** A person compares the rows in doubt with the platform, and says what is there. */
  private async confirmed(): Promise<void> {
    this.write();
    for (const command of this.commands()) {
      const { run, resources } = reportedBy(await this.run(command));
      const runs = resources ? resources.map((each) => each.run) : [run];
      for (const id of runs) if (id) await this.confirmRun(id, command);
    }
  }

  private async confirmRun(run: string, { files }: LifeCommand): Promise<void> {
    const { world } = this;
    const list = join(world.cwd, 'unresolved.csv');
    rmSync(list, { force: true });
    await world.command(['runs', 'show', run, '--unresolved', '--csv', 'unresolved.csv', '--json']);
    if (!existsSync(list)) return;
    const ledger = await world.ledger();
    const text = readFileSync(list, 'utf8');
    const [header, ...lines] = text.split('\n').filter((line) => line !== '');
    const rows = csvRows(text);
    const verdicts = rows.map((row) => {
      const wish = files
        .flatMap((file) => file.rows.map((each, index) => ({ each, place: `${file.name}:${index + 2}` })))
        .find(({ place }) => place === `${row['file']}:${row['line']}`)?.each;
      if (!wish) return undefined;
      if (hasRow(ledger, wish)) return 'arrived';
      return recordWith(ledger, wish) !== undefined || otherAccountOf(ledger, wish) !== undefined
        ? undefined
        : 'missing';
    });
    for (const verdict of ['arrived', 'missing'] as const) {
      const chosen = lines.filter((_, index) => verdicts[index] === verdict);
      if (chosen.length === 0) continue;
      writeFileSync(list, [header, ...chosen, ''].join('\n'));
      const words = ['runs', 'confirm', run, '--rows', 'unresolved.csv', `--${verdict}`, '--by', 'A. Lead'];
      const { exitCode, stderr, stdout } = await world.command(words);
      this.steps.push(`  ${words.join(' ')} → ${exitCode}`);
      if (exitCode !== 0) this.found('I10', `confirm ends with ${exitCode}: ${stdout}${stderr}`);
    }
  }

  /** All causes are repaired. Then everything arrives, and nothing more is sent. */
  private async repaired(): Promise<void> {
    const { world } = this;
    for (const account of this.staged) await world.setImported(account, true);
    this.staged.clear();
    this.refuse();
    this.steps.push('everything is repaired');
    for (let commands = 0; commands < LAST_COMMANDS && this.violations.length === 0; commands++) {
      await this.revertConflicts();
      // Now it is known which instructions were refused, and a refused one is sent again when its row has changed.
      if (commands > 0) await this.changeRefusedInstructions();
      this.write();
      const codes: (number | undefined)[] = [];
      for (const command of this.commands()) codes.push((await this.run(command)).exitCode);
      if (codes.every((code) => code === 0)) {
        await this.checkEnd();
        return;
      }
      await this.confirmed();
    }
    if (this.violations.length === 0)
      this.found('I22', `not everything arrived after ${LAST_COMMANDS} commands`);
  }

  /** Rows become what the platform has where it has them otherwise, because a file can be changed and a record cannot. */
  private async revertConflicts(): Promise<void> {
    const ledger = await this.world.ledger();
    for (const file of this.files) {
      this.repairRows(file);
      file.rows = file.rows.map((row) => {
        const there = recordWith(ledger, row);
        if (there !== undefined) return { ...row, ...contentOf(there, row) };
        const account = otherAccountOf(ledger, row);
        return account === undefined ? row : { ...row, account };
      });
    }
  }

  private async changeRefusedInstructions(): Promise<void> {
    const ledger = await this.world.ledger();
    for (const file of this.files.filter(({ resource }) => resource === 'payment-instructions'))
      file.rows = file.rows.map((row) =>
        recordWith(ledger, row) === undefined ? { ...row, number: this.numbers++ } : row,
      );
  }

  /** The ledger is the files and what rows of earlier versions brought there, each once, and nothing more is sent. */
  private async checkEnd(): Promise<void> {
    const { world } = this;
    const ledger = await world.ledger();
    for (const file of this.files)
      for (const row of file.rows)
        if (!hasRow(ledger, row)) this.found('I22', `row ${row.number} of ${file.name} is not there`);
    const identities = new Set<string>();
    for (const [key, records] of ledger) {
      const [account, kind] = key.split(' ') as [string, string];
      const resource = resourceOf(kind);
      for (const record of records) {
        const name = nameOf(resource, account, record);
        const identity = identityOfName(name);
        if (identities.has(identity)) this.found('I22', `${identity} is there twice`);
        identities.add(identity);
        if (!this.wished.has(name)) this.found('I22', `no row ever was ${name.replaceAll('\n', ' ')}`);
      }
    }
    const before = world.seen.length;
    for (const { words } of this.commands()) {
      const ended = await world.command(words);
      this.commandsRun++;
      if (ended.exitCode !== 0) this.found('I10', `exit 0, then ${ended.exitCode}`);
      if (this.shards.length === 1) await this.checkPage();
    }
    if (world.seen.length > before) this.found('I11', 'requests were sent although everything had arrived');
  }

  /** The page about the last command says that everything has arrived. */
  private async checkPage(): Promise<void> {
    const { world } = this;
    const page = join(world.cwd, 'page.html');
    const verified = await world.command(['verify', '--html', 'page.html']);
    if (verified.exitCode !== 0 || !readFileSync(page, 'utf8').includes('Everything arrived'))
      this.found(
        'I22',
        `the page says something else: exit ${verified.exitCode} ${verified.stdout}${verified.stderr}`,
      );
    rmSync(page, { force: true });
  }
}

/** The files below a folder; none without it. */
const namesIn = (folder: string): readonly string[] =>
  existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : [];

/** Outcomes of rows that are on the platform as the file has them. */
const ARRIVED = ['created', 'existing', 'uncompared', 'confirmed', 'sent_before'];

const isBroken = (row: LifeRow): boolean => row.isBroken;

function outcomeOf(ended: LifeEnded): string {
  if (ended.exitCode === undefined) return 'killed';
  const { rows } = reportedBy(ended);
  const counts = Object.entries(rows ?? {}).filter(([, count]) => count > 0);
  return `${ended.exitCode} ${counts.map(([name, count]) => `${name} ${count}`).join(', ')}`;
}

function reportedBy({ stdout }: LifeEnded): Reported {
  return stdout.startsWith('{') ? (JSON.parse(stdout) as Reported) : {};
}

/** The key of a row in the request log. */
function keyOfRow(row: LifeRow): string {
  return row.resource === 'notes' ? recordOf(row) : keyOf(row.resource, parsed(row));
}

function parsed(row: LifeRow): OracleRecord {
  return Object.fromEntries(
    recordOf(row)
      .split('\n')
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );
}

const nameOf = (resource: string, account: string, record: string): string =>
  `${resource} ${account} ${record}`;

function identityOfName(name: string): string {
  const [, resource, account, record] = /^(\S+) (\S+) ([\s\S]*)$/.exec(name)!;
  return identityOfRecord(resource as OracleResource, account!, record!);
}

/** The records of a request, in the spelling of the ledger. */
function recordsOf(resource: OracleResource, body: string): readonly string[] {
  const {
    import_supplier: _,
    external_account_number: __,
    ...rest
  } = exactJson(body) as Record<string, Exact>;
  const list = LIST_OF[resource];
  const records = list === null ? [rest] : (rest[list] as readonly OracleRecord[]);
  return records.map((record) => canonical(record));
}

type Ledger = Awaited<ReturnType<LifeWorld['ledger']>>;

function hasRow(ledger: Ledger, row: LifeRow): boolean {
  return (ledger.get(`${row.account} ${KIND_OF[row.resource]}`) ?? []).includes(recordOf(row));
}

function hasRecord(ledger: Ledger, name: string): boolean {
  const [, resource, account, record] = /^(\S+) (\S+) ([\s\S]*)$/.exec(name)!;
  return (ledger.get(`${account} ${KIND_OF[resource as OracleResource]}`) ?? []).includes(record!);
}

/** The record with the identity of a row. */
function recordWith(ledger: Ledger, row: LifeRow): string | undefined {
  const identity = identityOf(row);
  return (ledger.get(`${row.account} ${KIND_OF[row.resource]}`) ?? []).find(
    (record) => identityOfRecord(row.resource, row.account, record) === identity,
  );
}

/** The account of the record that a row is, when it is not that of the row. Ids of notes and instructions say nothing. */
function otherAccountOf(ledger: Ledger, row: LifeRow): string | undefined {
  if (row.resource === 'notes' || row.resource === 'payment-instructions') return undefined;
  return ACCOUNTS.find((account) => account !== row.account && hasRow(ledger, { ...row, account }));
}

function resourceOf(kind: string): OracleResource {
  return LIFE_RESOURCES.find((resource) => KIND_OF[resource] === kind)!;
}

/** What a row has to be, to be a record of the platform. */
function contentOf(record: string, row: LifeRow): Partial<LifeRow> {
  const [, amount] = /^(?:gross_)?amount=(.*)$/m.exec(record) ?? [];
  if (amount !== undefined)
    return { value: Math.floor(Number(amount)) - (row.resource === 'statements' ? 100 : 10) };
  const [, reference] = /^reference=pi_(.*)$/m.exec(record) ?? [];
  return reference === undefined ? {} : { number: Number(reference) };
}
