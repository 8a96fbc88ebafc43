// Linear's errors: a message, and extensions with code, type, status and a sentence for people.
import { GraphQLError } from 'graphql';
import { WireError } from '../kit/wire.ts';

const kinds = {
  INPUT_ERROR: { type: 'invalid input', statusCode: 400 },
  FORBIDDEN: { type: 'forbidden', statusCode: 403 },
  AUTHENTICATION_ERROR: { type: 'authentication error', statusCode: 401 },
  RATELIMITED: { type: 'ratelimited', statusCode: 400 },
  GRAPHQL_VALIDATION_FAILED: { type: 'graphql error', statusCode: 400 },
  GRAPHQL_PARSE_FAILED: { type: 'graphql error', statusCode: 400 },
  INTERNAL_SERVER_ERROR: { type: 'internal error', statusCode: 500 },
} as const;

/** The code of an error. */
export type ErrorCode = keyof typeof kinds;

/** The extensions of a code. */
export function buildErrorExtensions(code: ErrorCode, presentable: string, status?: number): Record<string, unknown> {
  const { type, statusCode } = kinds[code];
  return {
    type,
    code,
    statusCode: status ?? statusCode,
    userError: code !== 'INTERNAL_SERVER_ERROR',
    userPresentableMessage: presentable,
  };
}

/** An error inside a running document. */
export function createInputError(message: string, presentable = message): GraphQLError {
  return new GraphQLError(message, { extensions: buildErrorExtensions('INPUT_ERROR', presentable) });
}

/** What does not exist for the caller. */
export function createEntityMissingError(entity: string): GraphQLError {
  return createInputError(`Entity not found: ${entity}`, `Could not find referenced ${entity}.`);
}

/** A token that lacks a scope. */
export function createForbiddenError(needed: string): GraphQLError {
  const message = `Invalid scope: \`${needed}\` required`;
  return new GraphQLError(message, { extensions: buildErrorExtensions('FORBIDDEN', message) });
}

/** A refusal of the whole request. */
export function createLinearError(
  status: number,
  code: ErrorCode,
  message: string,
  headers: Record<string, string> = {},
): WireError {
  return new WireError(
    status,
    message,
    { errors: [{ message, extensions: buildErrorExtensions(code, message, status) }] },
    headers,
  );
}
