import { errorStatus, toPublicError, type AppError } from '#kernel/errors';

/** An error as RFC 9457 problem details. */
export type Problem = {
  type: string;
  title: string;
  status: number;
  detail: string;
  code: AppError['code'];
  request_id: string;
  details?: AppError['details'];
};

/** The seconds for the header Retry-After; undefined if the error names none. */
export function formatRetryAfter({ details = {} }: { details?: AppError['details'] }): string | undefined {
  const { retry_after: seconds } = details;
  return typeof seconds === 'number' ? String(seconds) : undefined;
}

/** Problem details of a thrown value; a bug shows only the request id. */
export function toProblem(thrown: unknown, requestId: string): Problem {
  const error = toPublicError(thrown, requestId);
  return {
    type: `urn:thalamus:error:${error.code}`,
    title: error.code.replaceAll('_', ' '),
    status: errorStatus[error.code],
    detail: error.message,
    code: error.code,
    request_id: requestId,
    ...(Object.keys(error.details).length > 0 && { details: error.details }),
  };
}
