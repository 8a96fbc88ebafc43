// Notion's refusals: an error object with status, code, message and request id.
import { randomUUID } from 'node:crypto';
import { WireError } from '../kit/wire.ts';

/** Any refusal. */
export function createNotionError(
  status: number,
  code: string,
  message: string,
  headers: Record<string, string> = {},
): WireError {
  const body = { object: 'error', status, code, message, request_id: randomUUID() };
  return new WireError(status, message, body, headers);
}

/** 400 for a value that cannot be used. */
export function createValidationError(message: string): WireError {
  return createNotionError(400, 'validation_error', message);
}

/** 404, also for items that are not shared with the integration. */
export function createObjectNotFoundError(kind: string, id: string): WireError {
  const rest = 'Make sure the relevant pages and databases are shared with your integration.';
  return createNotionError(404, 'object_not_found', `Could not find ${kind} with ID: ${id}. ${rest}`);
}
