import { AppError } from '#kernel/errors';
import { parseJson } from '#kernel/parse-json';
import type { Operation } from '#kernel/operation';
import { isFormType, parseForm } from '#platform/forms';
import type { Context } from 'hono';
import { getOperationSchemas, type JsonSchema } from '#faces/reference';
import { readBodyText } from './read-body.ts';
import { readJsonBody } from './read-json.ts';

const defaultMaxBytes = 1_000_000;

/** The raw input of an operation from a request: path, then query or body. Only its form is checked here. */
export async function readInput(c: Context, operation: Operation): Promise<unknown> {
  const path = c.req.param();
  const hasBody = !['GET', 'HEAD', 'DELETE'].includes(c.req.method);
  const rest = hasBody ? await readOperationBody(c, operation) : readQuery(c, operation);
  if (!isObject(rest)) throw new AppError('invalid_input', 'The body must be a JSON object, such as {}.');
  return Object.assign(rest, path); // copying tens of thousands of fields would take long
}

async function readOperationBody(c: Context, operation: Operation): Promise<unknown> {
  const { maxBodyBytes: maxBytes = defaultMaxBytes, takesLooseBodies = false } = operation;
  const text = await readBodyText(c, maxBytes);
  if (!text.trim()) return {};
  const contentType = c.req.header('content-type');
  if (!takesLooseBodies) return readJsonBody(text, contentType);
  if (isForm(c, text)) return Object.fromEntries(parseForm(text));
  try {
    return readJsonBody(text, undefined);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'malformed_json') throw error;
    const repaired = parseIfJson(withEscapedBreaks(text));
    if (isObject(repaired)) return repaired;
    throw error;
  }
}

/**
 * A form, for products without JSON. JSON with the content type of a form, which is curl's default, is read as JSON.
 */
function isForm(c: Context, text: string): boolean {
  const type = c.req.header('content-type');
  return isFormType(type) && !text.trimStart().startsWith('{');
}

const escapes: Readonly<Record<string, string>> = {
  '\r': String.raw`\r`,
  '\n': String.raw`\n`,
  '\t': String.raw`\t`,
};

/**
 * Make writes the line breaks of a text into JSON without escaping them. Inside quotes they can only be part of the
 * text.
 */
function withEscapedBreaks(text: string): string {
  const parts: string[] = [];
  let isQuoted = false;
  let from = 0;
  for (const { 0: sign, index } of text.matchAll(/\\[^]|["\r\n\t]/g)) {
    if (sign === '"') isQuoted = !isQuoted;
    const escaped = isQuoted ? escapes[sign] : undefined;
    if (escaped === undefined) continue;
    parts.push(text.slice(from, index), escaped);
    from = index + 1;
  }
  return parts.join('') + text.slice(from);
}

/** Query strings are text; fields with another type in the schema are converted. */
function readQuery(c: Context, operation: Operation): Record<string, unknown> {
  const { properties = {} } = getOperationSchemas(operation).input;
  const values = Object.entries(c.req.queries()).map(([name, texts]) => [
    name,
    parseQueryValue(texts, properties[name]),
  ]);
  return Object.fromEntries(values);
}

function parseQueryValue(texts: string[], schema: JsonSchema | undefined): unknown {
  const text = texts.at(-1) ?? '';
  switch (schema?.type) {
    case 'integer':
    case 'number':
      return text.trim() === '' || Number.isNaN(Number(text)) ? text : Number(text);
    case 'boolean':
      return text === 'true' ? true : text === 'false' ? false : text;
    case 'array':
      return texts.length > 1 ? texts : text.split(',');
    case 'object':
      return parseIfJson(text);
    default:
      return text;
  }
}

function parseIfJson(text: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof AppError) throw error;
    return text; // the schema then reports the error
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
