// Passes a request to oidc-provider, which is written for Node's own requests, and returns its answer as data.
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';

export type ProtocolRequest = {
  method: string;
  /** Below the public address, with the query. */
  path: string;
  headers: Record<string, string>;
  body: string;
};

export type ProtocolAnswer = { status: number; headers: [name: string, value: string][]; body: string };

/** Headers that are passed on. The address of the server is set here instead. */
const passedOn = [
  'authorization',
  'accept',
  'content-type',
  'cookie',
  'origin',
  'access-control-request-method',
  'access-control-request-headers',
];

/** Calls `answer`, a listener of Node's HTTP server. No socket is behind the request. */
export function ask(
  answer: (request: IncomingMessage, response: ServerResponse) => unknown,
  publicUrl: string,
  { method, path, headers, body }: ProtocolRequest,
): Promise<ProtocolAnswer> {
  const { host, protocol, pathname } = new URL(publicUrl);
  const request = new IncomingMessage(new Socket());
  request.method = method;
  request.url = path;
  request.headers = {
    ...Object.fromEntries(Object.entries(headers).filter(([name]) => passedOn.includes(name))),
    host,
    'x-forwarded-proto': protocol.slice(0, -1),
    ...(body && { 'content-length': String(Buffer.byteLength(body)) }),
  };
  Object.assign(request, { originalUrl: `${pathname.replace(/\/$/, '')}${path}` });
  request.push(body);
  request.push(null);
  const response = new ServerResponse(request);
  return new Promise((resolve, reject) => {
    const end = (chunk?: unknown) => {
      const text = typeof chunk === 'string' || Buffer.isBuffer(chunk) ? chunk.toString() : '';
      resolve({ status: response.statusCode, headers: listHeaders(response), body: text });
      return response;
    };
    response.end = end as typeof response.end; // a body is always passed whole
    Promise.resolve(answer(request, response)).catch(reject);
  });
}

function listHeaders(response: ServerResponse): [string, string][] {
  return Object.entries(response.getHeaders()).flatMap(([name, value]) =>
    [value ?? []].flat().map((each): [string, string] => [name, String(each)]),
  );
}
