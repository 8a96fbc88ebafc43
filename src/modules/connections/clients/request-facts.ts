// Builds requests from data, and reads answers by paths.
import type { EgressRequest } from '#platform/egress';
import { applyBaseUrl } from '#kernel/provider-access';
import type { RequestFacts, Template } from '#kernel/provider';

/** The values of the names in braces. */
export type RequestValues = { token: string; clientId?: string; clientSecret?: string | null };

/** The request with its names filled in, at the operator's base URL where one is set. Its secrets are kept out of errors. */
export function fillRequest(
  facts: RequestFacts,
  values: RequestValues,
  baseUrl: string | null,
): Pick<EgressRequest, 'method' | 'url' | 'headers' | 'body' | 'allow' | 'secrets'> {
  const names = getPlaceholderValues(values);
  const fill = (text: string) => fillText(text, names);
  const body = fillBody(facts, fill);
  const headers = Object.entries({ accept: 'application/json', ...facts.headers, ...body?.headers });
  const url = fillText(facts.url, names, (value) => encodeURIComponent(value).replaceAll('%3A', ':'));
  return {
    method: facts.method,
    url: applyBaseUrl(url, baseUrl),
    headers: Object.fromEntries(headers.map(([name, value]) => [name, fill(value)])),
    ...(body && { body: body.text }),
    allow: baseUrl ? [baseUrl] : [],
    secrets: [values.token, names['basic'], values.clientSecret].filter((secret) => Boolean(secret)) as string[], // no empty one remains
  };
}

/** HTTP Basic for OAuth: both parts are percent-encoded first (RFC 6749 §2.3.1). */
export function encodeBasicCredentials(clientId: string, clientSecret: string): string {
  return Buffer.from(`${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`).toString('base64');
}

/** The value at a path of an answer, such as `viewer.email`. Undefined: there is none. */
export function getValueAt(answer: unknown, path: string): unknown {
  let value = answer;
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = (value as Record<string, unknown>)[name];
  }
  return value;
}

/** The first of the texts whose paths are all in the answer, filled in; undefined when there is none. */
export function findFilledText(answer: unknown, texts: readonly string[]): string | undefined {
  for (const text of texts) {
    const values = [...text.matchAll(/\{([\w.]+)\}/g)].map(([, path = '']) => getValueAt(answer, path));
    if (values.every(isSaid)) return text.replaceAll(/\{[\w.]+\}/g, () => String(values.shift()));
  }
  return undefined;
}

function isSaid(value: unknown): boolean {
  return (typeof value === 'string' && value !== '') || typeof value === 'number';
}

function getPlaceholderValues({ token, clientId = '', clientSecret }: RequestValues): Record<string, string> {
  const basic = clientId && clientSecret ? encodeBasicCredentials(clientId, clientSecret) : '';
  return { token, client_id: clientId, client_secret: clientSecret ?? '', basic };
}

function fillText(text: string, names: Record<string, string>, encode: (value: string) => string = String): string {
  return text.replaceAll(/\{(token|client_id|client_secret|basic)\}/g, (_all, name: string) =>
    encode(names[name] ?? ''),
  );
}

function fillBody({ form, json }: RequestFacts, fill: (text: string) => string) {
  if (json !== undefined) {
    return { headers: { 'content-type': 'application/json' }, text: JSON.stringify(fillTemplate(json, fill)) };
  }
  if (!form) return null;
  const fields = Object.entries(form).map(([name, value]): [string, string] => [name, fill(value)]);
  return {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    text: new URLSearchParams(fields.filter(([, value]) => value)).toString(),
  };
}

function fillTemplate(template: Template, fill: (text: string) => string): unknown {
  if (typeof template === 'string') return fill(template);
  if (Array.isArray(template)) return template.map((each: Template) => fillTemplate(each, fill));
  if (typeof template !== 'object' || template === null) return template;
  return Object.fromEntries(
    Object.entries(template).map(([name, value]) => [name, fillTemplate(value as Template, fill)]),
  ); // its own parts
}
