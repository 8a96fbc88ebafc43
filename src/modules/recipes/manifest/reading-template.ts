// A declarative integration: endpoints that are read on a schedule, and how items become pages.
import { cronSchema } from '#platform/dates';
import { endpointSchema, findJsonPathError, findPlainTemplateError, listPlaceholders } from '#providers/http';
import { variableName } from '#modules/variables';
import { z } from 'zod';
import { limits } from '../limits.ts';

/** Text with values of the item, `{{quote.USD.price}}`: paths of own properties, without formats. */
const createTemplate = (most: number) => z.string().max(most).superRefine(checkPlainTemplate);
const template = createTemplate(20_000).min(1);

function checkPlainTemplate(text: string, check: z.RefinementCtx): void {
  const message = findPlainTemplateError(text);
  if (message !== null) check.addIssue({ code: 'custom', message });
}

const auth = z
  .strictObject({
    type: z.enum(['api_key', 'bearer', 'basic']),
    header: z.string().max(100).optional(),
    secret_name: variableName,
  })
  .describe(
    'Tells the installer which secret is needed. It sends nothing: a header names the secret by {{publisher.NAME}}.',
  );

/** A read: GET only, as everything else may change something at the service. */
const endpoint = z
  .strictObject({
    op: z.string().min(1).max(100),
    method: z.literal(
      'GET',
      'must be GET: an integration without code only reads. Write a sandboxed one for the rest.',
    ),
    url: endpointSchema.shape.url,
    headers: endpointSchema.shape.headers,
    queryParams: endpointSchema.shape.queryParams,
  })
  .superRefine((given, check) => {
    for (const path of listPlaceholders(given))
      if (!/^(?:inputs|ids|publisher)\.[\w-]+$/.test(path))
        check.addIssue({
          code: 'custom',
          message: `{{${path}}}: an endpoint knows {{inputs.<name>}}, {{ids.<slug>}} and {{publisher.<NAME>}}`,
        });
    for (const message of listTexts(given).map(findPlainTemplateError))
      if (message !== null) check.addIssue({ code: 'custom', message });
  });

function listTexts({
  url,
  headers = {},
  queryParams = {},
}: {
  url: string;
  headers?: object | undefined;
  queryParams?: object | undefined;
}): string[] {
  return [url, ...[...Object.values(headers), ...Object.values(queryParams)].flat().map(String)];
}

export type ReadingEndpoint = z.output<typeof endpoint>;

const mapping = z.strictObject({
  iterate: z
    .string()
    .min(1)
    .max(1_000)
    .superRefine((path, check) => {
      const message = findJsonPathError(path);
      if (message !== null)
        check.addIssue({ code: 'custom', message: `must be a JSONPath, such as $.data[*]: ${message}` });
    })
    .describe('A JSONPath (RFC 9535) of the items in the answer, such as $.data[*].'),
  page_type: template.max(200),
  source_ref_prefix: z.string().max(100).default(''),
  source_ref: template.max(1_000).describe('The identity of an item. An item that is known writes nothing.'),
  title: template.max(2_000),
  body: template.optional(),
  frontmatter: z.record(z.string().min(1).max(100), createTemplate(20_000)).default({}),
});
export type ReadingMapping = z.output<typeof mapping>;

/** The fields of `add({…})`. */
export const readingFields = {
  publisher: z.string().max(200).optional().describe('Ignored: the publisher is the person who publishes.'),
  auth: auth.optional(),
  trigger: cronSchema.safeExtend({ kind: z.literal('cron') }),
  endpoints: z.array(endpoint).min(1).max(limits.endpoints),
  mapping,
};

/** The template of a declarative integration. */
export const readingTemplate = z.strictObject(readingFields);
export type ReadingTemplate = z.output<typeof readingTemplate>;

/** The host of an endpoint, with its port. Its address has no placeholder there. */
export function getEndpointHost({ url }: Pick<ReadingEndpoint, 'url'>): string {
  return new URL(url.replaceAll(/\{\{[^{}]*\}\}/g, 'x')).host;
}
