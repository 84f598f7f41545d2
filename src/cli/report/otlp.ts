import { createHash } from 'node:crypto';
import { clockOfInstant } from '../../core/values/instant.ts';
import type { SentAttempt } from '../push/ports/measures.ts';

/** Spans of one line. A collector reads a line at a time. */
const SPANS_OF_LINE = 500;

/** A run, as its trace names it. */
export interface TracedRun {
  readonly id: string;
  readonly resource: string;
  readonly version: string;
  /** Name of its exit. */
  readonly exit: string;
}

/**
 * The trace of a run as lines of OTLP/JSON, the form of the OpenTelemetry file exporter: a span for each attempt, and at the end one for
 * the run, which is the parent of all. The ids follow from the id of the run, so a trace that is made twice is the same trace.
 */
export function* otlpLines(run: TracedRun, attempts: Iterable<SentAttempt>): Generator<string> {
  const traceId = hexOf(run.id, 32);
  const rootId = hexOf(`${run.id} run`, 16);
  let [first, last] = ['', ''];
  let spans: object[] = [];
  for (const attempt of attempts) {
    const { id, batch, startedAt, status, result } = attempt;
    const endedAt = attempt.endedAt ?? startedAt;
    first = first === '' || startedAt < first ? startedAt : first;
    last = endedAt > last ? endedAt : last;
    spans.push({
      traceId,
      spanId: hexOf(`${run.id} attempt ${id}`, 16),
      parentSpanId: rootId,
      name: `POST ${run.resource}`,
      kind: CLIENT,
      startTimeUnixNano: nanosOf(startedAt),
      endTimeUnixNano: nanosOf(endedAt),
      attributes: [
        whole('dataimport.request', batch),
        text('dataimport.result', result ?? 'open'),
        ...(status === null ? [] : [whole('http.response.status_code', status)]),
      ],
      status: { code: result === 'settled' ? OK : ERROR },
    });
    if (spans.length < SPANS_OF_LINE) continue;
    yield lineOf(run, spans);
    spans = [];
  }
  if (first === '') return;
  const root = {
    traceId,
    spanId: rootId,
    name: `dataimport ${run.resource}`,
    kind: INTERNAL,
    startTimeUnixNano: nanosOf(first),
    endTimeUnixNano: nanosOf(last),
    attributes: [text('dataimport.run', run.id), text('dataimport.exit', run.exit)],
    status: { code: run.exit === 'OK' ? OK : ERROR },
  };
  yield lineOf(run, [...spans, root]);
}

// Numbers of the OpenTelemetry protocol.
const [INTERNAL, CLIENT] = [1, 3];
const [OK, ERROR] = [1, 2];

function lineOf({ version }: TracedRun, spans: readonly object[]): string {
  const resource = { attributes: [text('service.name', 'dataimport'), text('service.version', version)] };
  const scopeSpans = [{ scope: { name: 'dataimport', version }, spans }];
  return `${JSON.stringify({ resourceSpans: [{ resource, scopeSpans }] })}\n`;
}

function text(key: string, stringValue: string) {
  return { key, value: { stringValue } };
}

/** The protocol writes integers of 64 bits as texts. */
function whole(key: string, value: number) {
  return { key, value: { intValue: String(value) } };
}

const nanosOf = (instant: string): string => `${clockOfInstant(instant)}000000`;

function hexOf(name: string, length: number): string {
  return createHash('sha256').update(name).digest('hex').slice(0, length);
}
