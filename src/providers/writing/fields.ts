// The input of an action, as data: its fields define the schema, the preview and the form of an action.
import { z } from 'zod';

const word = z.string().regex(/^[a-z][a-z0-9_]{0,59}$/, 'must be lower-case letters, digits and _');
const label = z.string().min(1).max(200);
const count = z.number().int().min(0).max(1_000_000);
const whole = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);

const ofField = {
  /** The label for people. */
  label,
  /** The description for agents. */
  about: z.string().max(500).optional(),
  isOptional: z.literal(true).optional(),
};

const field = z.discriminatedUnion('kind', [
  z.strictObject({
    ...ofField,
    kind: z.literal('line'),
    most: count.optional(),
    /** The default value. */
    default: z.string().max(200).optional(),
    /** The required format, as a pattern and in words. */
    shape: z.strictObject({ pattern: z.string().max(300), says: z.string().max(200) }).optional(),
    /** A prefix that is removed, such as the `#` of a channel. */
    prefix: z.string().max(5).optional(),
    /** If the value matches, as a link does, only the first group is kept. */
    within: z.string().max(300).optional(),
  }),
  z.strictObject({
    ...ofField,
    kind: z.literal('text'),
    most: count.optional(),
    /** The most paragraphs, each of at most 2,000 characters. */
    mostParts: count.optional(),
    /** Converts the value before it is shown and sent, such as Markdown to the provider's own markup. */
    convert: z.custom<(value: string) => string>((convert) => typeof convert === 'function').optional(),
    default: z.string().max(200).optional(),
  }),
  z.strictObject({ ...ofField, kind: z.literal('number'), least: whole, most: whole }),
  z.strictObject({ ...ofField, kind: z.literal('flag'), default: z.boolean().optional() }),
  /** A moment with its offset, such as 2026-06-01T12:00:00+02:00, or a whole day. */
  z.strictObject({ ...ofField, kind: z.literal('time') }),
  z.strictObject({
    ...ofField,
    kind: z.literal('choice'),
    /** Each option with its label. */
    options: z.record(z.string().max(100), label),
    /** The provider's value of an option, where it differs. */
    sent: z.record(z.string().max(100), z.union([label, z.number(), z.boolean()])).optional(),
    default: z.string().max(100).optional(),
  }),
  z.strictObject({ ...ofField, kind: z.literal('lines'), most: count }),
  /** A mail address, in lower case. */
  z.strictObject({ ...ofField, kind: z.literal('address') }),
  z.strictObject({ ...ofField, kind: z.literal('addresses'), least: count.optional(), most: count }),
  /** Any JSON, by name. */
  z.strictObject({ ...ofField, kind: z.literal('values') }),
]);

/** What all fields of an action have in common. */
export const fieldTable = z.record(word, field);

/** A field that code declares with its own schema. */
export type SchemaField<Schema extends z.ZodType = z.ZodType> = {
  kind: 'schema';
  label: string;
  schema: Schema;
  /** The text for people, where the value itself does not show it; an empty text is not shown. */
  shown?(value: z.output<Schema>, input: Readonly<Record<string, unknown>>): string;
};

/** One input field of an action. */
export type Field = z.input<typeof field> | SchemaField;

/** Fields by name. */
export type FieldTable = Readonly<Record<string, Field>>;

/** A field of one kind. */
export type FieldOf<Kind extends Field['kind']> = Extract<Field, { kind: Kind }>;

type FieldKind = Exclude<Field['kind'], 'schema'>;
type Options<Kind extends FieldKind> = Omit<FieldOf<Kind>, 'kind' | 'label'>;

function createFieldKind<Kind extends FieldKind>(kind: Kind) {
  return <const Given extends Partial<Options<Kind>>>(name: string, options?: Given) =>
    ({ kind, label: name, ...options }) as { kind: Kind; label: string } & Given; // the given value, with both properties added
}

export const line = createFieldKind('line');
export const text = createFieldKind('text');
export const number = createFieldKind('number');
export const flag = createFieldKind('flag');
export const time = createFieldKind('time');
export const choice = createFieldKind('choice');
export const lines = createFieldKind('lines');
export const address = createFieldKind('address');
export const addresses = createFieldKind('addresses');
export const values = createFieldKind('values');

/** A field with its own schema, for a form that no other kind has. */
export function createSchemaField<Schema extends z.ZodType>(
  name: string,
  schema: Schema,
  shown?: SchemaField<Schema>['shown'],
): SchemaField<Schema> {
  return { kind: 'schema', label: name, schema, ...(shown && { shown }) };
}

/** The same field, made optional. */
export function makeOptional<const Given extends Exclude<Field, SchemaField>>(
  given: Given,
): Given & { isOptional: true } {
  return { ...given, isOptional: true };
}

/** The provider's value of an option. */
export function mapOption({ sent }: { sent?: Readonly<Record<string, unknown>> }, option: string | undefined): unknown {
  return option === undefined ? undefined : (sent?.[option] ?? option);
}

type ValueOf<Given> =
  Given extends SchemaField<infer Schema>
    ? z.output<Schema>
    : Given extends { kind: 'number' }
      ? number
      : Given extends { kind: 'flag' }
        ? boolean
        : Given extends { kind: 'lines' | 'addresses' }
          ? readonly string[]
          : Given extends { kind: 'values' }
            ? Readonly<Record<string, unknown>>
            : Given extends { kind: 'choice'; options: infer Named }
              ? keyof Named & string
              : string;

type OptionalIn<Fields> = {
  [Name in keyof Fields]: Fields[Name] extends { default: string | boolean }
    ? never
    : Fields[Name] extends { isOptional: true }
      ? Name
      : undefined extends ValueOf<Fields[Name]>
        ? Name
        : never;
}[keyof Fields];

/** The input of an action, typed by its fields. */
export type InputOf<Fields> = {
  readonly [Name in Exclude<keyof Fields, OptionalIn<Fields>>]: ValueOf<Fields[Name]>;
} & {
  readonly [Name in OptionalIn<Fields>]?: ValueOf<Fields[Name]> | undefined;
};
