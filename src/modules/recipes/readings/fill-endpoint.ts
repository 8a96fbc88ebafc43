// Makes the request of an endpoint: with the inputs of the install, and with handles instead of lent secrets.
import { listPlaceholders, fill, type FilledRequest } from '#providers/http';
import type { ReadingEndpoint } from '../manifest/reading-template.ts';

const lentPrefix = 'publisher.';

/** The names of the secrets that an endpoint uses, as `{{publisher.NAME}}`. */
export function listLentNames({ op: _op, ...endpoint }: ReadingEndpoint): string[] {
  return [...listPlaceholders(endpoint)]
    .filter((path) => path.startsWith(lentPrefix))
    .map((path) => path.slice(lentPrefix.length));
}

/** What is put into an endpoint. `handles`: by the names of secrets. */
export type EndpointValues = {
  inputs: Readonly<Record<string, unknown>>;
  ids: Readonly<Record<string, string>>;
  handles: Readonly<Record<string, string>>;
};

/** The request, with each value escaped for its place. Throws `invalid_input` for a placeholder without a value. */
export function fillEndpoint(
  { op: _op, ...endpoint }: ReadingEndpoint,
  { inputs, ids, handles }: EndpointValues,
): FilledRequest {
  return fill(endpoint, { inputs, ids, publisher: handles });
}
