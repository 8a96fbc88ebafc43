// A plain HTTP server on loopback that keeps what reached it, and answers as a test says.
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export type RecordedRequest = { method: string; url: string; headers: IncomingHttpHeaders; body: string };
/** `echo` answers the request as JSON; `silence` never answers, `reset` cuts the line. */
type Answer =
  | { status?: number; headers?: Record<string, string>; body?: string | Buffer }
  | 'echo'
  | 'silence'
  | 'reset';

export type HttpRecorder = { url: string; requests: RecordedRequest[]; answer: Answer; close(): Promise<void> };

export async function startHttpRecorder(): Promise<HttpRecorder> {
  const server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request;
    const recorded = { method, url, headers, body: await text(request) };
    recorder.requests.push(recorded);
    if (recorder.answer === 'silence') return;
    if (recorder.answer === 'reset') return void request.socket.destroy();
    const answer =
      recorder.answer === 'echo'
        ? { headers: { 'content-type': 'application/json' }, body: JSON.stringify(recorded) }
        : recorder.answer;
    response.writeHead(answer.status ?? 200, answer.headers).end(answer.body);
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // a listening TCP server has one
  const recorder: HttpRecorder = {
    url: `http://127.0.0.1:${port}`,
    requests: [],
    answer: {},
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return recorder;
}
