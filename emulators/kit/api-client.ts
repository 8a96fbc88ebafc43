// The smallest possible client, for the emulators' own tests: JSON in, status and JSON out.

/** A response. `body` is any JSON, read with `at`. */
export type Answer = { status: number; headers: Headers; body: Record<string, unknown>; text: string };

/** A request; `body` wins over `json`. */
export type ApiRequest = {
  query?: Record<string, string | string[]>;
  json?: unknown;
  body?: string | Buffer;
  headers?: Record<string, string>;
};

/** Sends one request. */
export type ApiClient = (method: string, path: string, ask?: ApiRequest) => Promise<Answer>;

/** A client with this token, or none. */
export function createTokenClient(baseUrl: string, token?: string): ApiClient {
  return createHeaderClient(baseUrl, token ? { authorization: `Bearer ${token}` } : {});
}

/** A client that sends these headers with every request. */
export function createHeaderClient(baseUrl: string, defaultHeaders: Record<string, string>): ApiClient {
  return async (method, path, ask = {}) => {
    const url = new URL(path, baseUrl);
    for (const [name, value] of Object.entries(ask.query ?? {}))
      for (const item of [value].flat()) url.searchParams.append(name, item);
    const response = await fetch(url, {
      method,
      headers: {
        ...defaultHeaders,
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

/** Posts a form, as clients of token endpoints do. */
export function postForm(
  baseUrl: string,
  path: string,
  form: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const type = { 'content-type': 'application/x-www-form-urlencoded' };
  return createHeaderClient(baseUrl, { ...type, ...headers })('POST', path, {
    body: new URLSearchParams(form).toString(),
  });
}

/** The header of HTTP Basic. */
export function buildBasicAuth(name: string, password: string): { authorization: string } {
  return { authorization: `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}` };
}

/** Reads a path like `messages.0.id` out of an answer; undefined when it is not there. */
export function getPathValue(value: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((found, name) => (found as Record<string, unknown> | undefined)?.[name], value);
}

/** The same for texts, which have to be there. */
export function getTextAt(value: unknown, path: string): string {
  const found = getPathValue(value, path);
  if (typeof found !== 'string') throw new Error(`No text at ${path} in ${JSON.stringify(value)}`);
  return found;
}
