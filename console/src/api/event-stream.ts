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
 * Reads `/v1/events` until `signal` is aborted, or the server refuses this person. A broken stream is reopened where it
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
    } else await response?.body?.cancel(); // an unread answer keeps its connection open
    if (response && isRefused(response)) return;
    await pause(retryMs, signal);
  }
}

async function open(lastId: string | undefined, signal: AbortSignal): Promise<Response | null> {
  const headers = { accept: 'text/event-stream', ...getSessionProofHeader(), ...getShownWorkspaceHeader() };
  try {
    return await fetch('/v1/events', { signal, headers: { ...headers, ...(lastId && { 'last-event-id': lastId }) } });
  } catch {
    return null; // the network failed, or listening ended
  }
}

/** Signed out, not allowed, or in another workspace: retrying would not help. Loading the page starts again. */
function isRefused({ status }: Response): boolean {
  return [401, 403, 409].includes(status);
}

/** Passes on the text of a body until it ends or breaks. */
async function readTextStream(body: ReadableStream<Uint8Array>, feed: (text: string) => void): Promise<void> {
  const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader();
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) feed(read.value);
  } catch {} // a broken stream counts as ended
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
