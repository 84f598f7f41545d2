import { failure, type Problem } from '../../core/problem.ts';
import { delimiterHint } from '../csv/opening.ts';
import { readSource } from '../csv/read-source.ts';
import type { SourceFile } from '../csv/source-file.ts';
import {
  eachItem,
  rowProblem,
  type ElementPaths,
  type ItemCell,
  type LeftOutPart,
  type ReadItem,
  type SourceRow,
} from '../csv/source-row.ts';
import { NO_CELL } from '../mapping/column-map.ts';
import { planByMapping } from '../mapping/compile/plan-by-mapping.ts';
import type { Mapping } from '../mapping/language/mapping.ts';
import { columnsOf } from '../mapping/compile/columns.ts';
import {
  joinedSource,
  sourceFormatOf,
  type ColumnTypeSpec,
  type QueryTableSpec,
} from '../mapping/language/source.ts';
import { StepProblem } from '../mapping/language/step-problem.ts';
import type { CellProblem, MappingPlan } from '../mapping/mapping-plan.ts';
import { ControlRecords } from '../push/stage/control-records.ts';
import { columnType, TEXT, type ColumnType } from './column-types.ts';

/** A problem of a file of the query, and its cell. */
export type TableProblem = { readonly problem: Problem; readonly cell: ItemCell };

/** A row of the table with its values; or a line that is none, and why. */
export type TableLine = {
  readonly row: SourceRow;
  readonly part: Exclude<LeftOutPart, 'query'> | null;
  readonly values: readonly (string | null)[];
};

/** Problems of one table that are kept. All are counted. */
const MOST_PROBLEMS = 1000;

/** One pass over a file that a query reads, with every check of a file that does not need records. */
export class TableReading {
  readonly name: string;
  readonly file: SourceFile;
  /** A column without a name gets the number of its place. */
  columns: readonly (ColumnType & { readonly name: string })[] = [];
  isJsonLines = false;
  errors = 0;
  readonly problems: TableProblem[] = [];
  private readonly items: AsyncGenerator<ReadItem>;
  private readonly mapping: Mapping;
  private readonly declared: Readonly<Record<string, ColumnTypeSpec>>;
  /** The header of the file. */
  names: readonly string[] = [];
  private plan: MappingPlan | undefined;
  private lastLine = 1;
  private readonly report = {
    usable: true,
    stop: (problem: Problem, line: number, cell?: ItemCell) => this.refuse(problem, line, cell),
    refuse: (problem: Problem, line: number, cell?: ItemCell) => this.refuse(problem, line, cell),
  };
  private readonly controlRecords = new ControlRecords(this.report);

  constructor([name, spec]: readonly [string, QueryTableSpec], file: SourceFile, mapping: Mapping) {
    const { file: _, types = {}, ...own } = spec;
    const source = joinedSource(mapping.document.source, own);
    this.name = name;
    this.file = file;
    this.declared = types;
    const { resource, shape } = mapping.document;
    this.mapping = {
      ...mapping,
      document: { resource, shape, source, fields: {}, ignore: 'all' },
      positionOf: (path) => mapping.positionOf(['source', 'tables', name, ...path]),
    };
    this.items = eachItem(readSource(file, sourceFormatOf(source)));
  }

  /** The declared kind of each column in lower case; undefined for one that is text because nothing was declared. */
  get kinds(): ReadonlyMap<string, string | undefined> {
    const row = ['_row', 'integer'] as const;
    return new Map([
      row,
      ...this.columns.map(
        ({ name, kind, isDeclared }) => [name.toLowerCase(), isDeclared ? kind : undefined] as const,
      ),
    ]);
  }

  /** Reads up to the header. */
  async open(): Promise<void> {
    for (;;) {
      const { value: item, done } = await this.items.next();
      if (done) return this.plan ? undefined : this.add(failure('file_empty', []), 1);
      if (item.kind === 'header') return this.acceptHeader(item);
      this.accept(item);
      if (item.kind === 'unreadable') return;
    }
  }

  /** The lines behind the header; nothing now and then, while there are only other items. */
  async *lines(): AsyncGenerator<TableLine> {
    for (let item = await this.items.next(); !item.done; item = await this.items.next()) {
      const line = this.accept(item.value);
      if (line) yield line;
    }
    if (!this.plan) return;
    const { trailer } = this.plan;
    if (this.report.usable) this.controlRecords.checkEnd(trailer, this.lastLine);
    this.addAll(this.plan.leftOver(), 1);
  }

  close(): Promise<unknown> {
    return this.items.return(undefined);
  }

  private acceptHeader({
    names,
    line,
    elements,
  }: {
    names: readonly string[];
    line: number;
    elements?: ElementPaths;
  }): void {
    const delimiter = elements ? undefined : delimiterHint(names);
    if (delimiter !== undefined) return this.add(failure('delimiter_differs', [], { delimiter }), line);
    this.names = names;
    this.isJsonLines = elements !== undefined;
    const { source = {} } = this.mapping.document;
    this.columns = names.map((name, index) => {
      const type = Object.hasOwn(this.declared, name) ? columnType(this.declared[name]!, source) : TEXT;
      return { ...type, name: name === '' ? `column_${index + 1}` : name };
    });
    const asked = columnsOf(names);
    for (const name of Object.keys(this.declared)) asked.bind(name, 'other');
    for (const problem of [...asked.problems, ...this.columns.flatMap(({ needs }) => needs)])
      this.add(problem, line);
    const { plan, problems } = planByMapping(this.mapping, names, {
      supplier: '',
      joins: new Map(),
      elements,
    });
    this.plan = plan;
    this.addAll(problems, line);
  }

  private accept(item: ReadItem): TableLine | undefined {
    switch (item.kind) {
      case 'row':
        this.controlRecords.assertLast();
        return this.plan && this.acceptRow(item.row, this.plan);
      case 'trailer':
        this.controlRecords.add(item.row, item.mark);
        return undefined;
      case 'page_line':
      case 'repeated_header':
        return { row: item.row, part: item.kind, values: [] };
      case 'broken':
        this.add(item.problem, item.row.firstLine);
        return undefined;
      case 'notice':
        this.add(item.problem, item.line);
        return undefined;
      case 'unreadable':
        this.refuse(item.problem, item.line);
        return undefined;
      case 'skipped':
      case 'header':
      case 'left_out':
        return undefined;
      default:
        return item satisfies never;
    }
  }

  private acceptRow(row: SourceRow, plan: MappingPlan): TableLine | undefined {
    this.lastLine = row.lastLine;
    const isEmpty = row.cells.every((cell) => cell === '');
    const problem = rowProblem(row, this.names) ?? (isEmpty ? failure('row_empty', []) : undefined);
    if (problem) {
      this.add(problem, row.firstLine);
      return undefined;
    }
    plan.trailer?.see(row, false);
    this.addAll(plan.candidateOf([row]).problems, row.firstLine);
    const values = this.columns.map(({ read }, index) => {
      const value = read(row.cells[index]!);
      if (!(value instanceof StepProblem)) return value;
      const column = this.isJsonLines ? null : index + 1;
      this.add(value.problem, row.firstLine, { ...NO_CELL, column, header: this.names[index]! });
      return null;
    });
    return { row, part: null, values };
  }

  private refuse(problem: Problem, line: number, cell?: ItemCell): void {
    this.report.usable = false;
    this.add(problem, line, cell);
  }

  private addAll(problems: Iterable<CellProblem>, line: number): void {
    for (const { problem, cell } of problems) this.add(problem, line, cell ?? NO_CELL);
  }

  private add(problem: Problem, line: number, cell: ItemCell = NO_CELL): void {
    if (problem.severity === 'error') this.errors++;
    if (this.problems.length >= MOST_PROBLEMS) return;
    this.problems.push({
      problem,
      cell: { ...cell, file: cell.file ?? this.file.name, line: cell.line ?? line },
    });
  }
}
