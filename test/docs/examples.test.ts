import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import * as z from 'zod/mini';
import { EXITS } from '../../src/cli/output/exit-codes.ts';
import { projectRoot } from '../support/source-tree.ts';

const folder = join(projectRoot, 'examples');
const textOf = (name: string): string => readFileSync(join(folder, name), 'utf8');

/** Exit codes after which the same line leads further, and the code of a process that was killed. */
const AGAIN = [
  ...Object.values(EXITS).flatMap(({ code, again }) => (again.startsWith('yes') ? [code] : [])),
  137,
].toSorted((a, b) => a - b);
/** All others but success. */
const STOP = [...new Set(Object.values(EXITS).map(({ code }) => code))]
  .filter((code) => code !== 0 && !AGAIN.includes(code))
  .toSorted((a, b) => a - b);

const SHARDS = 4;

test('exit codes that start again and exit codes that stop are known', () => {
  expect(AGAIN).toEqual([5, 10, 130, 137, 143]);
  expect(STOP).toEqual([1, 2, 3, 4, 6, 7, 8, 9, 11]);
});

test('the page names every example, and the exit codes of both kinds', () => {
  const page = textOf('README.md');
  for (const name of readdirSync(folder)) if (name !== 'README.md') expect(page).toContain(`(${name})`);
  const codes = [...page.matchAll(/^\| (\d[\d, ]*?) +\|/gm)].map(([, list]) => list!.split(', ').map(Number));
  expect(codes).toEqual([[0], AGAIN, STOP]);
});

test('every line of an example has flags that exist', () => {
  const surface = readFileSync(join(projectRoot, 'test/cli/surface.txt'), 'utf8');
  for (const name of readdirSync(folder).filter(
    (each) => !/\.(md|mjs)$|^github$|^tests$|^collections$|^compose\.yaml$/.test(each),
  )) {
    const line = /push[\s\S]*?--rate-limit/.exec(
      textOf(name).slice(textOf(name).indexOf('dataimport push')),
    )?.[0];
    const words = line ?? /"?push[\s\S]*?--rate-limit/.exec(textOf(name))![0];
    const flags = words.match(/--[a-z-]+/g) ?? [];
    expect(flags, name).toEqual(['--shard', '--run-dir', '--rate-limit']);
    for (const flag of flags) expect(surface, flag).toContain(flag);
  }
});

const strict = z.strictObject;
const named = <Shape extends Readonly<Record<string, z.ZodMiniType>>>(shape: Shape) =>
  strict({ name: z.string(), ...shape });

/** The parts of the published schema of `batch/v1` Job that the example uses (Kubernetes 1.33). A misspelt key is an error. */
const JOB = strict({
  apiVersion: z.literal('batch/v1'),
  kind: z.literal('Job'),
  metadata: strict({ name: z.string() }),
  spec: strict({
    completionMode: z.literal('Indexed'),
    completions: z.int(),
    parallelism: z.int(),
    backoffLimitPerIndex: z.int(),
    maxFailedIndexes: z.int(),
    // The only value that is allowed beside a podFailurePolicy.
    podReplacementPolicy: z.literal('Failed'),
    podFailurePolicy: strict({
      rules: z
        .array(
          strict({
            action: z.enum(['FailJob', 'FailIndex', 'Ignore', 'Count']),
            onExitCodes: z.optional(
              strict({
                containerName: z.string(),
                operator: z.enum(['In', 'NotIn']),
                // Unique, in order, and without 0 for `In`.
                values: z.array(z.int().check(z.minimum(1))).check(z.maxLength(255)),
              }),
            ),
            onPodConditions: z.optional(
              z.array(strict({ type: z.string(), status: z.enum(['True', 'False']) })),
            ),
          }).check(
            z.refine((rule) => (rule.onExitCodes === undefined) !== (rule.onPodConditions === undefined)),
          ),
        )
        .check(z.maxLength(20)),
    }),
    template: strict({
      metadata: strict({ labels: z.record(z.string(), z.string()) }),
      spec: strict({
        // Needed for podFailurePolicy and for backoffLimitPerIndex.
        restartPolicy: z.literal('Never'),
        terminationGracePeriodSeconds: z.int(),
        affinity: strict({
          podAffinity: strict({
            requiredDuringSchedulingIgnoredDuringExecution: z.array(
              strict({
                labelSelector: strict({ matchLabels: z.record(z.string(), z.string()) }),
                topologyKey: z.string(),
              }),
            ),
          }),
        }),
        containers: z.array(
          named({
            image: z.string(),
            workingDir: z.string(),
            command: z.array(z.string()),
            args: z.array(z.string()),
            env: z.array(
              named({
                value: z.optional(z.string()),
                valueFrom: z.optional(strict({ secretKeyRef: named({ key: z.string() }) })),
              }),
            ),
            volumeMounts: z.array(named({ mountPath: z.string(), readOnly: z.optional(z.boolean()) })),
          }),
        ),
        volumes: z.array(
          named({
            persistentVolumeClaim: z.optional(strict({ claimName: z.string() })),
            configMap: z.optional(named({})),
          }),
        ),
      }),
    }),
  }),
});

const CLAIM = strict({
  apiVersion: z.literal('v1'),
  kind: z.literal('PersistentVolumeClaim'),
  metadata: strict({ name: z.string() }),
  spec: strict({
    // Several nodes would mean a network file system.
    accessModes: z.tuple([z.literal('ReadWriteOnce')]),
    resources: strict({ requests: strict({ storage: z.string() }) }),
  }),
});

describe('the Kubernetes Indexed Job', () => {
  const documents = parseAllDocuments(textOf('kubernetes-job.yaml'));
  const [claim, job] = documents.map((document) => document.toJS() as unknown);
  const { metadata } = CLAIM.parse(claim);
  const { spec } = JOB.parse(job);
  const [container] = spec.template.spec.containers;

  test('is YAML of a claim and a Job whose parts name each other', () => {
    expect(documents.flatMap(({ errors }) => errors)).toEqual([]);
    const { volumes, affinity } = spec.template.spec;
    expect(volumes.map(({ persistentVolumeClaim }) => persistentVolumeClaim?.claimName)).toContain(
      metadata.name,
    );
    expect(container!.volumeMounts.map(({ name }) => name)).toEqual(volumes.map(({ name }) => name));
    const [term] = affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution;
    expect(term!.labelSelector.matchLabels).toEqual(spec.template.metadata.labels);
  });

  test('has as many completions as shards', () => {
    const count = container!.env.find(({ name }) => name === 'DATAIMPORT_SHARD_COUNT')?.value;
    expect([spec.completions, spec.parallelism, count]).toEqual([SHARDS, SHARDS, String(SHARDS)]);
  });

  test('fails an index at the exit codes that need a person, and at no other', () => {
    const [ignored, failing, ...others] = spec.podFailurePolicy.rules;
    expect(ignored).toMatchObject({ action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget' }] });
    expect(failing).toEqual({
      action: 'FailIndex',
      onExitCodes: { containerName: container!.name, operator: 'In', values: STOP },
    });
    expect(others).toEqual([]);
    expect(spec.backoffLimitPerIndex).toBeGreaterThan(0);
  });
});

/** The parts of `RegisterJobDefinition` of AWS Batch that the example uses. */
const BATCH = strict({
  jobDefinitionName: z.string(),
  type: z.literal('container'),
  platformCapabilities: z.tuple([z.literal('EC2')]),
  containerProperties: strict({
    image: z.string(),
    command: z.array(z.string()),
    resourceRequirements: z.array(strict({ type: z.enum(['VCPU', 'MEMORY', 'GPU']), value: z.string() })),
    environment: z.array(named({ value: z.string() })),
    secrets: z.array(named({ valueFrom: z.string() })),
    executionRoleArn: z.string(),
    volumes: z.array(named({ host: strict({ sourcePath: z.string() }) })),
    mountPoints: z.array(
      strict({ sourceVolume: z.string(), containerPath: z.string(), readOnly: z.boolean() }),
    ),
  }),
  retryStrategy: strict({
    attempts: z.int().check(z.minimum(1), z.maximum(10)),
    // Digits, and a star at the end.
    evaluateOnExit: z
      .array(strict({ onExitCode: z.string().check(z.regex(/^\d*\*?$/)), action: z.enum(['RETRY', 'EXIT']) }))
      .check(z.maxLength(5)),
  }),
});

test('the AWS Batch job definition tries exactly the exit codes again that lead further', () => {
  const { containerProperties, retryStrategy } = BATCH.parse(JSON.parse(textOf('aws-batch.json')));
  const actionOf = (code: number) =>
    retryStrategy.evaluateOnExit.find(({ onExitCode }) =>
      new RegExp(`^${onExitCode.replace('*', '\\d*')}$`).test(String(code)),
    )?.action;
  expect(AGAIN.map(actionOf)).toEqual(AGAIN.map(() => 'RETRY'));
  expect(STOP.map(actionOf)).toEqual(STOP.map(() => 'EXIT'));
  const { volumes, mountPoints, environment } = containerProperties;
  expect(mountPoints.map(({ sourceVolume }) => sourceVolume)).toEqual(volumes.map(({ name }) => name));
  expect(environment).toContainEqual({ name: 'DATAIMPORT_SHARD_COUNT', value: String(SHARDS) });
});

describe.each([
  ['slurm-array.sh', AGAIN],
  // ssh ends with 255 when it has no connection.
  ['two-machines.sh', [...AGAIN, 255]],
])('%s', (name, again) => {
  const text = textOf(name);

  test('starts the same line again at the exit codes that lead further', () => {
    const codes = /^ *((?:\d+ \| )+\d+)\)/m.exec(text)![1]!.split(' | ').map(Number);
    expect(codes).toEqual(again);
  });

  test('has as many processes as shards', () => {
    if (name === 'slurm-array.sh') {
      expect(text).toContain(`#SBATCH --array=1-${SHARDS}\n`);
      expect(text).toContain(`export DATAIMPORT_SHARD_COUNT=${SHARDS}\n`);
      return;
    }
    const lines = /<<'END'\n([\s\S]*?)END\n/.exec(text)![1]!.trimEnd().split('\n');
    expect(lines.map((line) => Number(line.split(' ')[1]))).toEqual([1, 2, 3, 4]);
    expect(text).toContain(`--shard $shard/${SHARDS} `);
  });
});

test('the commands of compose.yaml have flags that exist, and nothing but the volume is written', () => {
  const surface = readFileSync(join(projectRoot, 'test/cli/surface.txt'), 'utf8');
  const { services } = parseAllDocuments(textOf('compose.yaml'))[0]!.toJS() as {
    services: {
      platform: {
        command: readonly string[];
        read_only: boolean;
        healthcheck: { test: readonly string[] };
      };
    };
  };
  const { command, healthcheck, read_only: isReadOnly } = services.platform;
  expect(isReadOnly).toBe(true);
  const [kind, program, ...check] = healthcheck.test;
  expect([kind, program]).toEqual(['CMD', 'dataimport']);
  const commands = { serve: command, 'admin clock': check };
  for (const [name, words] of Object.entries(commands)) {
    expect(words.join(' ')).toMatch(new RegExp(`^${name} `));
    const help = surface.slice(surface.indexOf(`Usage: dataimport ${name} `)).split('-'.repeat(100))[0];
    for (const flag of words.filter((word) => word.startsWith('--')))
      expect(help, name).toContain(`${flag} `);
  }
});
