// A request that says what `fetch` does not let a page or a test say: any Host header, a body without end.
import { request, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { setImmediate as breathe } from 'node:timers/promises';

export type RawAnswer = {
  status: number;
  headers: IncomingHttpHeaders;
  body: Record<string, unknown>;
  /** How much of the body the server let through. */
  sentBytes: number;
};

type Raw = {
  method?: string;
  headers?: Record<string, string>;
  /** Sent whole. */
  body?: string;
  /** Sent in pieces of 64 kB until it is as long as this, or until the server has answered. */
  endless?: number;
};

const piece = Buffer.alloc(65_536, 32);

/** Status 0: the server closed the connection before its answer could be read. */
export async function sendRawRequest(url: string, { method = 'GET', headers = {}, body, endless = 0 }: Raw = {}) {
  const asked = request(url, { method, headers, agent: false });
  const ended = new AbortController();
  const answered = new Promise<IncomingMessage | null>((resolve) => {
    asked.once('response', resolve);
    asked.on('error', () => resolve(null)); // a server that has answered closes while the rest is being sent
  }).finally(() => ended.abort());
  let sentBytes = 0;
  asked.write(body ?? '');
  while (sentBytes < endless && !ended.signal.aborted && !asked.destroyed) {
    sentBytes += piece.length;
    asked.write(piece);
    do await breathe();
    while (asked.writableNeedDrain && !ended.signal.aborted && !asked.destroyed);
  }
  if (!ended.signal.aborted) asked.end();
  const response = await answered;
  const said = response ? await text(response).catch(() => '') : '';
  asked.destroy();
  const isJson = response?.headers['content-type']?.includes('json');
  const answer: RawAnswer = {
    status: response?.statusCode ?? 0,
    headers: response?.headers ?? {},
    body: isJson && said ? (JSON.parse(said) as RawAnswer['body']) : { text: said }, // answers and problems are objects
    sentBytes,
  };
  return answer;
}
