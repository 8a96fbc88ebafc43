import { AppError } from '#kernel/errors';
import { parseJson } from '#kernel/parse-json';

const jsonType = /^(?:application|text)\/(?:json|[\w.-]+\+json)\s*(?:;|$)/i;

/**
 * The JSON of a body. Throws `unsupported_media_type` for a body with another declared type, `malformed_json` for text
 * that is not JSON. A body without a type is read as JSON.
 */
export function readJsonBody(text: string, contentType: string | undefined): unknown {
  if (contentType !== undefined && !jsonType.test(contentType.trim())) throw createTypeError(contentType);
  try {
    return parseJson(text);
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw new AppError('malformed_json', 'The body is not valid JSON. Check quotes and commas.', {}, { cause });
  }
}

function createTypeError(contentType: string): AppError {
  return new AppError(
    'unsupported_media_type',
    `The body is of the type ${contentType.slice(0, 100)}. Send JSON, with the header content-type: application/json.`,
  );
}
