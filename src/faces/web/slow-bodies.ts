// Ends requests whose bodies do not arrive, so that no sender keeps a connection and the memory of half a body for
// long.
import type { IncomingMessage, ServerResponse } from 'node:http';

/** Within this time a body must end, or grow by `leastBytes`: a large file may take as long as it needs. */
export const usualReadMs = 15_000;
const leastBytes = 200_000;

const late = JSON.stringify({
  type: 'about:blank',
  title: 'request timeout',
  status: 408,
  detail: 'The body did not arrive in time. Send the request again.',
});
const answer = [
  'HTTP/1.1 408 Request Timeout',
  'content-type: application/problem+json',
  `content-length: ${late.length}`,
  'connection: close',
  '',
  late,
].join('\r\n');

/** Watches the body of a request. A request that is answered before it is complete is ended, too. */
export function endSlowBody(request: IncomingMessage, response: ServerResponse, readMs: number): void {
  const { headers, socket } = request;
  if (headers['transfer-encoding'] === undefined && !Number(headers['content-length'] ?? 0)) return;
  let seen = socket.bytesRead;
  const timer = setInterval(() => {
    if (request.complete || socket.destroyed) return clearInterval(timer);
    const isWaitingForUs = request.readableLength >= request.readableHighWaterMark && !response.writableEnded;
    if (isWaitingForUs) return;
    if (socket.bytesRead - seen >= leastBytes) return void (seen = socket.bytesRead);
    clearInterval(timer);
    if (!response.headersSent) socket.write(answer);
    socket.destroySoon();
  }, readMs).unref();
  response.once('close', () => request.complete && clearInterval(timer));
}
