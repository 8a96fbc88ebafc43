// Some clients cannot use a tool whose input has a union with null. Such a null is removed from the published schema,
// but still accepted: the description of the field says what it means.
import type { JsonSchema } from '#faces/reference';

type JsonObject = { [key: string]: unknown };

/** The schema of an input without any null. What it accepts, the operation's own schema accepts. */
export function withoutNull(schema: JsonSchema): JsonSchema {
  return strip(schema) as JsonSchema; // an object stays one
}

/** `isNames`: the keys are names of fields, not keywords of JSON Schema. */
function strip(value: unknown, isNames = false): unknown {
  if (Array.isArray(value)) return value.map((each) => strip(each));
  if (!isPart(value)) return value;
  const entries = Object.entries(value).map(([key, each]): [string, unknown] => {
    const isLiteral = !isNames && ['default', 'const', 'examples'].includes(key);
    return [
      key,
      isLiteral ? each : strip(each, !isNames && ['properties', '$defs', 'patternProperties'].includes(key)),
    ];
  });
  const part: JsonObject = Object.fromEntries(entries);
  return isNames ? part : withoutNullOption(part);
}

function withoutNullOption(part: JsonObject): JsonObject {
  const { type, enum: values, default: usual, ...rest } = part;
  const kept: JsonObject = {
    ...rest,
    ...(type !== undefined && { type: Array.isArray(type) ? dropNullType(type) : type }),
    ...(values !== undefined && { enum: Array.isArray(values) ? values.filter((each) => each !== null) : values }),
    ...(usual !== undefined && usual !== null && { default: usual }),
  };
  return ['anyOf', 'oneOf'].reduce(dropNullOption, kept);
}

function dropNullType(types: readonly unknown[]): unknown {
  const others = types.filter((each) => each !== 'null');
  return others.length === 1 ? others[0] : others;
}

/** A single remaining option replaces the union; the union's own description precedes that of the option. */
function dropNullOption(part: JsonObject, key: string): JsonObject {
  const options = part[key];
  if (!Array.isArray(options) || !options.some(isNull)) return part;
  const others = options.filter((each) => !isNull(each));
  const { [key]: _union, ...rest } = part;
  const [only] = others;
  return others.length === 1 && isPart(only) ? { ...only, ...rest } : { ...rest, [key]: others };
}

function isNull(value: unknown): boolean {
  return isPart(value) && (value['type'] === 'null' || value['const'] === null);
}

function isPart(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
