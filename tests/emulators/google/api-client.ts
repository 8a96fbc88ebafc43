// The smallest possible client, for the emulator's own tests: JSON in, status and JSON out.
import type { GoogleEmulator } from './index.ts';

/** What came back; `body` is whatever JSON it was. */
export type Answer = {
  status: number;
  headers: Headers;
  body: Record<string, unknown> & { error?: GoogleErrorBody };
  text: string;
};

/** The error part of an answer. */
export type GoogleErrorBody = {
  code: number;
  message: string;
  status?: string;
  errors: { domain: string; reason: string; message: string }[];
};

/** A request; `body` wins over `json`. */
export type Ask = {
  query?: Record<string, string | string[]>;
  json?: unknown;
  body?: string | Buffer;
  headers?: Record<string, string>;
};

/** Sends one request with a bearer token. */
export type ApiClient = (method: string, path: string, ask?: Ask) => Promise<Answer>;

/** A client with a token of its own. */
export function apiClient(google: GoogleEmulator, email: string, scopes: string[]): ApiClient {
  const { accessToken } = google.issueTokens(email, scopes);
  return clientWithToken(google.url, accessToken);
}

/** A client with this token, or none. */
export function clientWithToken(baseUrl: string, token?: string): ApiClient {
  return async (method, path, ask = {}) => {
    const url = new URL(path, baseUrl);
    for (const [name, value] of Object.entries(ask.query ?? {}))
      for (const item of [value].flat()) url.searchParams.append(name, item);
    const response = await fetch(url, {
      method,
      headers: {
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...(ask.json === undefined ? {} : { 'content-type': 'application/json' }),
        ...ask.headers,
      },
      ...(ask.body !== undefined
        ? { body: ask.body as string }
        : ask.json === undefined
          ? {}
          : { body: JSON.stringify(ask.json) }),
      redirect: 'manual',
    });
    const text = await response.text();
    // Tests state the shape they expect; the cast only opens the value to them.
    const isJson = response.headers.get('content-type')?.includes('json');
    return {
      status: response.status,
      headers: response.headers,
      body: isJson ? (JSON.parse(text) as Answer['body']) : {},
      text,
    };
  };
}

/** Reads a path like `messages.0.id` out of an answer; undefined when it is not there. */
export function at(value: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((found, name) => (found as Record<string, unknown> | undefined)?.[name], value);
}

/** The same for texts, which have to be there. */
export function textAt(value: unknown, path: string): string {
  const found = at(value, path);
  if (typeof found !== 'string') throw new Error(`No text at ${path} in ${JSON.stringify(value)}`);
  return found;
}
