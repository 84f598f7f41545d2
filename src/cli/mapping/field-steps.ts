import type { FieldFacts } from '../../core/contract/field.ts';
import type { Path } from '../../core/problem.ts';
import { readJson } from './cell.ts';
import type { CellKind } from './column.ts';
import { UNREADABLE, type FieldSteps, type RunSteps } from './compiled-field.ts';
import type { FieldMaker } from './field-maker.ts';
import { Flawed } from './flawed.ts';
import { TableValue } from './lookup.ts';
import type { ValueSpec } from './mapping-file/field-schema.ts';
import { report, type BoundColumn } from './scope.ts';
import { stepSpecOf } from './source-settings.ts';
import { TRANSFORMS, type Step, type StepMaterial } from './transforms.ts';

/** What of the contract a field is, and where its value goes. */
export interface FieldPlace {
  readonly path: Path;
  readonly facts: FieldFacts;
  /** `json` for a list in one cell. */
  readonly kind: CellKind;
}

/** Compiles the steps that a field asks for, in the order of the table. */
export function fieldSteps(spec: ValueSpec, { facts, kind }: FieldPlace, maker: FieldMaker): FieldSteps {
  const material: StepMaterial = {
    spec: stepSpecOf(maker.source, spec, kind),
    facts,
    tables: maker.tables,
    isFixedWidth: maker.source.fixed !== undefined,
  };
  const of = (phase: 'text' | 'value' | 'amount'): readonly AnyStep[] =>
    TRANSFORMS.filter((each) => each.phase === phase && each.kinds.includes(kind)).flatMap(
      (each) => (each.compile(material) as AnyStep | undefined) ?? [],
    );
  const values = kind === 'json' ? [jsonStep as AnyStep] : of('value');
  const read =
    material.spec.lookup === undefined ? values : [...values.map(unlessKnown), tableValue as AnyStep];
  const toValue = [...of('text'), ...read];
  const amount = of('amount');
  return {
    spec: material.spec,
    run: (path, column) => runner([...toValue, ...amount], path, column),
    runToNumber: (path, column) => runner(toValue, path, column),
    runAmount: (path, column) => runner(amount, path, column),
  };
}

/** What a step takes is what the one before it gives: the table has them in such an order. */
type AnyStep = Step<never, unknown>;

/** What a table gave is the value already, and not written as the file writes values. */
function unlessKnown(step: AnyStep): AnyStep {
  const read = step as Step<unknown, unknown>;
  return ((value: unknown) => (value instanceof TableValue ? value : read(value))) as AnyStep;
}

function tableValue(value: unknown): unknown {
  return value instanceof TableValue ? value.value : value;
}

function jsonStep(text: string): unknown {
  const { value, problem } = readJson(text, []);
  return problem ? new Flawed(problem) : value;
}

function runner(steps: readonly AnyStep[], path: Path, column: BoundColumn | null): RunSteps<unknown> {
  return (first, scope) => {
    let value = first;
    for (const step of steps as readonly Step<unknown, unknown>[]) {
      if (value === undefined) return undefined;
      value = step(value);
      if (value instanceof Flawed) {
        report(scope, path, column, value.problem);
        if (value.value === undefined) return UNREADABLE;
        value = value.value;
      }
    }
    return value;
  };
}
