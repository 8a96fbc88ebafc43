// Reads a posted message once, before the protocol does, and refuses JSON that is nested too deeply.
import { AppError } from '#kernel/errors';
import { parseJson } from '#kernel/parse-json';
import { readRequestBody } from '@modelcontextprotocol/server';

/** A message to serve, with its JSON if it is already known; or the answer that refuses it. */
export type ReadMessage = { request: Request; parsedBody?: unknown } | { refusal: Response };

/** Leaves every other defect to the protocol's library, which has its own errors. */
export async function readMessage(request: Request, maxBodyBytes: number): Promise<ReadMessage> {
  if (request.method !== 'POST' || !request.body) return { request };
  const body = await readRequestBody(request.clone(), maxBodyBytes).catch(() => null);
  if (!body || body.tooLarge) return { request };
  try {
    const message = parseJson(body.text);
    return { request, parsedBody: Array.isArray(message) ? message.map(withoutUnset) : withoutUnset(message) };
  } catch (error) {
    if (!(error instanceof AppError)) return { request };
    const refused = { jsonrpc: '2.0', id: null, error: { code: -32_600, message: error.message } };
    return { refusal: Response.json(refused, { status: 400 }) };
  }
}

/**
 * The message without parts that some clients send as null, as text or as an empty list where the protocol expects an
 * object or nothing.
 */
function withoutUnset(message: unknown): unknown {
  if (!isObject(message) || !('params' in message)) return message;
  const { params, ...rest } = message;
  if (params === null) return rest;
  if (!isObject(params)) return message;
  const { arguments: given, _meta: meta, ...others } = params;
  const input = toArguments(given);
  return {
    ...rest,
    params: {
      ...others,
      ...(meta !== undefined && meta !== null && { _meta: meta }),
      ...(input !== undefined && { arguments: input }),
    },
  };
}

/** Arguments as an object; undefined: there are none. Any other value is left unchanged, and so refused. */
function toArguments(given: unknown): unknown {
  if (given === null || given === '' || (Array.isArray(given) && given.length === 0)) return undefined;
  if (typeof given !== 'string') return given;
  try {
    const read = parseJson(given);
    return isObject(read) ? read : given;
  } catch {
    return given;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
