// One HTTP call as data: recipes, app tools, agents' tools and the catalogue describe a provider's operation this way.
import { memoize } from '#kernel/memoize';
import { z } from 'zod';

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
/** `{{query}}`, `{{item.id}}`, `{{secrets.TOKEN}}`. */
const placeholder = /\{\{\s*([A-Za-z_][\w-]*(?:\.(?:[\w-]+|[*+]|\[[\w.-]+\]))*)\s*\}\}/g;
const secretPrefix = 'secrets.';

const text = z.string().max(20_000);
const scalar = z.union([text, z.number(), z.boolean()]);

const absoluteUrl = z
  .string()
  .max(4_000)
  .refine(
    (url) => /^https?:\/\/[^/?#{}\s]+([/?#]|$)/i.test(url),
    'must be an absolute URL whose host has no placeholder',
  );

/** Placeholders are in values, never in names. `body` is sent as JSON, `form` as a form. */
export const endpointSchema = z
  .strictObject({
    method: z.enum(methods),
    url: absoluteUrl,
    headers: z
      .record(
        z
          .string()
          .max(100)
          .regex(/^[\w!#$%&'*+.^`|~-]+$/),
        text,
      )
      .optional(),
    queryParams: z.record(z.string().max(200), z.union([scalar, z.array(scalar).max(100)])).optional(),
    body: z.unknown().optional(),
    form: z.record(z.string().max(200), scalar).optional(),
  })
  .refine(({ body, form }) => body === undefined || form === undefined, 'has a JSON body or a form, not both');

export type Endpoint = z.input<typeof endpointSchema>;

/** The parts of a text: literal text, and the paths of the placeholders between them. */
export type UrlPart = { literal: string } | { path: string };

/** Splits a text at its placeholders; memoized, since the same few templates are filled repeatedly. */
export const splitTemplate = memoize<readonly UrlPart[]>(2_000, parseTemplate);

function parseTemplate(template: string): UrlPart[] {
  const parts: UrlPart[] = [];
  let at = 0;
  for (const match of template.matchAll(placeholder)) {
    if (match.index > at) parts.push({ literal: template.slice(at, match.index) });
    parts.push({ path: match[1]! });
    at = match.index + match[0].length;
  }
  if (at < template.length) parts.push({ literal: template.slice(at) });
  return parts;
}

/** Every placeholder of an endpoint, without secrets, which do not come from the caller. */
export function listPlaceholders(endpoint: Endpoint): Set<string> {
  return new Set([...walkPaths(endpoint)].filter((path) => !path.startsWith(secretPrefix)));
}

/** The names of the secrets an endpoint needs. */
export function listSecretNames(endpoint: Endpoint): Set<string> {
  const secrets = [...walkPaths(endpoint)].filter((path) => path.startsWith(secretPrefix));
  return new Set(secrets.map((path) => path.slice(secretPrefix.length)));
}

/** The path of every placeholder, once for each time it appears. */
function* walkPaths(value: unknown): Generator<string> {
  if (typeof value === 'string') {
    for (const part of splitTemplate(value)) if ('path' in part) yield part.path;
  } else if (typeof value === 'object' && value !== null) {
    for (const each of Object.values(value)) yield* walkPaths(each);
  }
}
