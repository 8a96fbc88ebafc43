// Passes a request to oidc-provider, which expects Node's own requests, and returns its answer as data: the
// answer is sent only after its transaction, and the web face renders some answers as pages.
import inject, { type DispatchFunc, type InjectOptions } from 'light-my-request';

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

/** Calls `listener`, a listener of Node's HTTP server, without a socket. */
export async function ask(
  listener: DispatchFunc,
  publicUrl: string,
  { method, path, headers, body }: ProtocolRequest,
): Promise<ProtocolAnswer> {
  const { host, protocol } = new URL(publicUrl);
  const answer = await inject(listener, {
    method: method as NonNullable<InjectOptions['method']>, // of a route of ours
    url: path,
    headers: {
      ...Object.fromEntries(Object.entries(headers).filter(([name]) => passedOn.includes(name))),
      host,
      'x-forwarded-proto': protocol.slice(0, -1),
    },
    ...(body && { payload: body }),
  });
  return { status: answer.statusCode, headers: listHeaders(answer.headers), body: answer.payload };
}

function listHeaders(headers: Record<string, unknown>): [string, string][] {
  return Object.entries(headers).flatMap(([name, value]) =>
    [value ?? []].flat().map((each): [string, string] => [name, String(each)]),
  );
}
