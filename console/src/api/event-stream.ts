// The server's events, by fetch: an EventSource cannot send the proof of the session.
import { createParser } from 'eventsource-parser';
import { getSessionProofHeader } from './session-proof.ts';
import { getShownWorkspaceHeader } from './shown-workspace.ts';

const retryMs = 3_000;

type StreamOptions = {
  signal: AbortSignal;
  onOpen: () => void;
  onClose: () => void;
  onEvent: (name: string, data: string) => void;
};

/**
 * Reads `/v1/events` until `signal` is aborted, or the server refuses this person. A broken stream is opened again where it
 * broke off.
 */
export async function readEvents({ signal, onOpen, onClose, onEvent }: StreamOptions): Promise<void> {
  let lastId: string | undefined;
  const parser = createParser({
    onEvent({ id, event, data }) {
      lastId = id ?? lastId;
      if (event !== undefined) onEvent(event, data);
    },
  });
  while (!signal.aborted) {
    const response = await open(lastId, signal);
    if (response?.body && response.ok) {
      onOpen();
      await readTextStream(response.body, (text) => parser.feed(text));
      parser.reset();
      onClose();
    } else await response?.body?.cancel(); // an answer that nobody reads keeps its connection
    if (response && isRefused(response)) return;
    await pause(retryMs, signal);
  }
}

async function open(lastId: string | undefined, signal: AbortSignal): Promise<Response | null> {
  const headers = { accept: 'text/event-stream', ...getSessionProofHeader(), ...getShownWorkspaceHeader() };
  try {
    return await fetch('/v1/events', { signal, headers: { ...headers, ...(lastId && { 'last-event-id': lastId }) } });
  } catch {
    return null; // the network, or the end of listening
  }
}

/** Signed out, not allowed, or in another workspace: asking again would not help. A page load begins anew. */
function isRefused({ status }: Response): boolean {
  return [401, 403, 409].includes(status);
}

/** Passes the text of a body on until it ends or breaks. */
async function readTextStream(body: ReadableStream<Uint8Array>, feed: (text: string) => void): Promise<void> {
  const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader();
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) feed(read.value);
  } catch {} // a broken stream is a stream that ended
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
