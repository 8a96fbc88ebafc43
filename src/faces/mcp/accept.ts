// Clients that accept no event stream. The protocol's library answers them with 406; here they get plain JSON.
import { parseAccept } from 'hono/utils/accept';
import { readFrames } from './event-frames.ts';

const both = 'application/json, text/event-stream';

/** The request in the form for the protocol's library, and whether its client accepts only JSON. */
export type Acceptance = { request: Request; isJsonOnly: boolean };

/** Reads the header Accept of a posted message. The library refuses a client that accepts neither JSON nor a stream. */
export function readAcceptance(request: Request): Acceptance {
  const header = request.headers.get('accept') || '*/*';
  const isUsual = header.includes('application/json') && header.includes('text/event-stream');
  if (request.method !== 'POST' || isUsual) return { request, isJsonOnly: false };
  const accepted = parseAccept(header).filter(({ q }) => q > 0);
  const accepts = (...types: string[]) => accepted.some(({ type }) => types.includes(type.toLowerCase()));
  const isStreamFine = accepts('text/event-stream');
  if (!isStreamFine && !accepts('application/json', 'application/*', '*/*')) return { request, isJsonOnly: false };
  const headers = new Headers(request.headers);
  headers.set('accept', both);
  return { request: new Request(request, { headers }), isJsonOnly: !isStreamFine };
}

/** The answers of an event stream as one JSON body. Progress is left out, because a body cannot contain it. */
export async function answerAsJson(answer: Response, isBatch: boolean): Promise<Response> {
  if (!answer.headers.get('content-type')?.startsWith('text/event-stream')) return answer;
  const answers: unknown[] = [];
  for await (const frame of readFrames(answer)) answers.push(...parseData(frame).filter(isAnswer));
  return Response.json(isBatch ? answers : answers[0]);
}

function parseData(frame: string): unknown[] {
  const data = frame
    .split('\n')
    .flatMap((line) => (line.startsWith('data:') ? [line.slice('data:'.length).trim()] : []));
  const text = data.join('\n');
  return text ? [JSON.parse(text)] : [];
}

function isAnswer(message: unknown): boolean {
  return typeof message === 'object' && message !== null && ('result' in message || 'error' in message);
}
