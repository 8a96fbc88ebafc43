// Shortens what `tools/list` shows, because a model pays for it in every conversation. Calls are still checked against
// the whole schema.
import type { JsonSchema } from '#faces/reference';
import type { Tool } from '@modelcontextprotocol/server';

/** Longer patterns do not help a model, and a pattern beside a format is redundant. */
const longestPattern = 20;
const longestDescription = 90;
/** A part of at least this length that appears more than once is written once. */
const leastShared = 100;

type Hints = NonNullable<Tool['annotations']>;

const shortened = new WeakMap<Tool, Tool>();

/** A tool with a short input schema and without its output schema. */
export function shortenTool(tool: Tool): Tool {
  const known = shortened.get(tool);
  if (known) return known;
  const { outputSchema: _whole, annotations, ...rest } = tool;
  const inputSchema = shortenSchema(tool.inputSchema as JsonSchema) as Tool['inputSchema']; // still an object
  const short: Tool = { ...rest, inputSchema, ...(annotations && { annotations: shortenHints(annotations) }) };
  shortened.set(tool, short);
  return short;
}

/** For a tool that only reads, the hints about deleting and repeating are meaningless. */
function shortenHints({ destructiveHint, idempotentHint, ...hints }: Hints): Hints {
  return hints.readOnlyHint ? hints : { ...hints, destructiveHint, idempotentHint };
}

/** A schema that accepts at least what the given one does. */
export function shortenSchema(schema: JsonSchema): JsonSchema {
  return withShared(withoutNoise(schema) as JsonSchema); // still an object
}

type SchemaPart = { [key: string]: unknown };

function isPart(value: unknown): value is SchemaPart {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** `isNames`: the keys are names of fields, not keywords of JSON Schema. */
function withoutNoise(value: unknown, isNames = false): unknown {
  if (Array.isArray(value)) return value.map((each) => withoutNoise(each));
  if (!isPart(value)) return value;
  const kept = Object.entries(value).filter(([key, each]) => isNames || !isNoise(key, each, value));
  return Object.fromEntries(
    kept.map(([key, each]) => {
      if (!isNames && key === 'description' && typeof each === 'string') return [key, shortenDescription(each)];
      const isLiteral = !isNames && ['default', 'enum', 'const'].includes(key);
      return [key, isLiteral ? each : withoutNoise(each, !isNames && ['properties', '$defs'].includes(key))];
    }),
  );
}

function isNoise(key: string, value: unknown, { format }: SchemaPart): boolean {
  if (key === 'pattern') return format !== undefined || String(value).length > longestPattern;
  if (key === 'maxLength') return format !== undefined;
  if (key === 'minLength') return value === 1;
  return ['minimum', 'maximum'].includes(key) && Math.abs(Number(value)) >= Number.MAX_SAFE_INTEGER;
}

/** The sentences that fit; if the first one does not fit, its first words. */
function shortenDescription(text: string): string {
  if (text.length <= longestDescription) return text;
  const start = text.slice(0, longestDescription);
  const sentence = Math.max(start.lastIndexOf('. '), start.lastIndexOf('; '));
  if (sentence > longestDescription / 3) return `${start.slice(0, sentence)}.`;
  return `${start.slice(0, start.lastIndexOf(' '))}…`;
}

/** Writes repeated parts under `$defs`, named by the first field that has them. */
function withShared(schema: JsonSchema): JsonSchema {
  const counts = new Map<string, number>();
  visitParts(schema, (part) => {
    const text = JSON.stringify(dropAnnotations(part));
    if (text.length >= leastShared) counts.set(text, (counts.get(text) ?? 0) + 1);
  });
  const defs: SchemaPart = {};
  const names = new Map<string, string>();

  function referred(value: unknown, field: string, isNames = false): unknown {
    if (Array.isArray(value)) return value.map((each) => referred(each, field));
    if (!isPart(value)) return value;
    const text = JSON.stringify(dropAnnotations(value));
    if (!isNames && value !== schema && (counts.get(text) ?? 0) > 1) {
      if (!names.has(text)) {
        const name = field in defs ? `${field}_${names.size}` : field;
        names.set(text, name);
        defs[name] = dropAnnotations(value);
      }
      const { description } = value;
      return {
        $ref: `#/$defs/${names.get(text)}`,
        ...(description !== undefined && { description }),
        ...copyDefault(value),
      };
    }
    const entries = Object.entries(value).map(([key, each]): [string, unknown] => [
      key,
      referred(each, isNames ? key : field, !isNames && key === 'properties'),
    ]);
    return Object.fromEntries(entries);
  }

  const short = referred(schema, 'shared') as JsonSchema; // only parts of it were replaced
  return names.size > 0 ? { ...short, $defs: { ...(short['$defs'] as SchemaPart | undefined), ...defs } } : short;
}

/** Visits every part that is a schema, also nested ones. */
function visitParts(value: unknown, take: (part: SchemaPart) => void, isNames = false): void {
  if (Array.isArray(value)) for (const each of value) visitParts(each, take);
  if (!isPart(value)) return;
  if (!isNames) take(value);
  for (const [key, each] of Object.entries(value)) visitParts(each, take, !isNames && key === 'properties');
}

/** The schema without the annotations of one use. */
function dropAnnotations({ description: _description, default: _default, ...part }: SchemaPart): SchemaPart {
  return part;
}

function copyDefault(part: SchemaPart): SchemaPart {
  return 'default' in part ? { default: part['default'] } : {};
}
