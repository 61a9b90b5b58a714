// The JSON Schema of a record in CloudWatch's embedded metric format, written down from the specification, and what the schema cannot
// say but the specification does: every name stands at the root, with a value that CloudWatch takes.
// https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html
import assert from 'node:assert/strict';
import { Ajv2020 } from 'ajv/dist/2020.js';

const TEXT = { type: 'string', minLength: 1 };
const TIMES = ['Seconds', 'Microseconds', 'Milliseconds'];
const SIZES = ['Bytes', 'Kilobytes', 'Megabytes', 'Gigabytes', 'Terabytes'];
const BITS = ['Bits', 'Kilobits', 'Megabits', 'Gigabits', 'Terabits'];
const RATES = [...SIZES, ...BITS, 'Count'].map((unit) => `${unit}/Second`);
const UNITS = [...TIMES, ...SIZES, ...BITS, 'Percent', 'Count', ...RATES, 'None'];

const METRIC = {
  type: 'object',
  required: ['Name'],
  properties: {
    Name: { ...TEXT, maxLength: 1024 },
    Unit: { enum: UNITS },
    StorageResolution: { enum: [1, 60] },
  },
  additionalProperties: false,
};
const DIRECTIVE = {
  type: 'object',
  required: ['Namespace', 'Dimensions', 'Metrics'],
  properties: {
    Namespace: { ...TEXT, maxLength: 1024 },
    Dimensions: {
      type: 'array',
      minItems: 1,
      items: { type: 'array', maxItems: 30, uniqueItems: true, items: { ...TEXT, maxLength: 250 } },
    },
    Metrics: { type: 'array', minItems: 1, maxItems: 100, items: METRIC },
  },
  additionalProperties: false,
};
const RECORD = {
  type: 'object',
  required: ['_aws'],
  properties: {
    _aws: {
      type: 'object',
      required: ['Timestamp', 'CloudWatchMetrics'],
      properties: {
        Timestamp: { type: 'integer', minimum: 0 },
        CloudWatchMetrics: { type: 'array', minItems: 1, items: DIRECTIVE },
      },
      additionalProperties: false,
    },
  },
};
const validate = new Ajv2020({ strict: true, allErrors: true }).compile(RECORD);

export interface Directive {
  readonly Namespace: string;
  readonly Dimensions: readonly (readonly string[])[];
  readonly Metrics: readonly { readonly Name: string; readonly Unit: string }[];
}

/** Throws unless the record keeps the format; its directives, none for a record without metrics. */
export function directivesOf(record: Readonly<Record<string, unknown>>): readonly Directive[] {
  if (record['_aws'] === undefined) return [];
  validate(record);
  assert.deepEqual(validate.errors, null);
  const { CloudWatchMetrics: directives } = record['_aws'] as { readonly CloudWatchMetrics: readonly Directive[] };
  for (const { Dimensions, Metrics } of directives) {
    const names = Metrics.map(({ Name }) => Name);
    assert.equal(new Set(names).size, names.length, 'a name stands for one metric');
    assert.deepEqual(
      names.filter((name) => !Number.isFinite(record[name])),
      [],
      'a metric has a number at the root',
    );
    assert.deepEqual(
      Dimensions.flat().filter((name) => !/^(?=.*\S)[\x20-\x7e]{1,1024}$/.test(String(record[name]))),
      [],
      'a dimension has a text at the root',
    );
  }
  return directives;
}

/** `Dimension+Dimension Metric` → value, as CloudWatch makes them of the record. */
export function metricsIn(record: Readonly<Record<string, unknown>>): Record<string, number> {
  return Object.fromEntries(
    directivesOf(record).flatMap(({ Dimensions, Metrics }) =>
      Dimensions.flatMap((names) => Metrics.map(({ Name }) => [`${names.join('+')} ${Name}`, Number(record[Name])])),
    ),
  );
}
