// Converts errors of the network library into the failures of this folder.
import { type ErrorCategory, Failure } from './egress-error.ts';

type NetworkErrorRule = { sign: RegExp; category: ErrorCategory; message: (origin: string) => string };

/**
 * Read from top to bottom: the first rule whose `sign` matches the error's code (or its name, if it has no code)
 * applies.
 */
const networkErrorRules: readonly NetworkErrorRule[] = [
  {
    sign: /^UND_ERR_(CONNECT|HEADERS|BODY)_TIMEOUT$|^ETIMEDOUT$/,
    category: 'timeout',
    message: (origin) => `${origin} did not answer in time.`,
  },
  {
    sign: /^UND_ERR_(CLOSED|DESTROYED)$/,
    category: 'cancelled',
    message: () => 'This server is stopping and sends no more requests.',
  },
  {
    sign: /HEADER(S)?_OVERFLOW$/,
    category: 'too_large',
    message: (origin) => `The headers in the answer of ${origin} are too large.`,
  },
  {
    sign: /^HPE_|^HTTPParserError$|^UND_ERR_RES_CONTENT_LENGTH_MISMATCH$/,
    category: 'bad_response',
    message: (origin) => `${origin} did not answer in valid HTTP.`,
  },
  {
    sign: /^UND_ERR_INVALID_ARG$/,
    category: 'invalid_request',
    message: (origin) => `The request to ${origin} has a part that HTTP does not allow.`,
  },
  {
    sign: /CERT|^ERR_TLS|^ERR_SSL|SIGNATURE|^EPROTO$/,
    category: 'tls',
    message: (origin) => `No secure connection to ${origin} could be made.`,
  },
  {
    sign: /^ECONNREFUSED$|UNREACH$|^EADDRNOTAVAIL$/,
    category: 'network',
    message: (origin) => `${origin} could not be reached.`,
  },
];

/** The Failure for an error of a socket or of undici. A Failure stays unchanged. */
export function classifyNetworkError(error: unknown, origin: string, status?: number): Failure {
  if (error instanceof Failure) return error;
  const sign = getErrorSign(error);
  const rule = networkErrorRules.find((candidate) => candidate.sign.test(sign));
  const message = rule ? rule.message(origin) : `The connection to ${origin} was cut before the answer was complete.`;
  return new Failure(rule?.category ?? 'network', message, {
    cause: error,
    ...(status === undefined ? {} : { status }),
  });
}

function getErrorSign(error: unknown): string {
  if (!(error instanceof Error)) return '';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}
