// Reads a posted message once, before the protocol does, and refuses JSON that is nested too deeply.
import { AppError } from '#kernel/errors';
import { parseJson } from '#kernel/parse-json';
import { readRequestBody } from '@modelcontextprotocol/server';

/** A message to serve, with its JSON where it is known already; or the answer that refuses it. */
export type ReadMessage = { request: Request; parsedBody?: unknown } | { refusal: Response };

/** Leaves every other defect to the protocol, which has its own errors for them. */
export async function readMessage(request: Request, maxBodyBytes: number): Promise<ReadMessage> {
  if (request.method !== 'POST' || !request.body) return { request };
  const body = await readRequestBody(request.clone(), maxBodyBytes).catch(() => null);
  if (!body || body.tooLarge) return { request };
  try {
    return { request, parsedBody: parseJson(body.text) };
  } catch (error) {
    if (!(error instanceof AppError)) return { request };
    const refused = { jsonrpc: '2.0', id: null, error: { code: -32_600, message: error.message } };
    return { refusal: Response.json(refused, { status: 400 }) };
  }
}
