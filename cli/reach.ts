import { NoServerError } from './failure.ts';

/** A request to the server. When none answers, the error says how to start one. */
export async function reach(url: string | URL | Request, init?: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init);
  } catch (cause) {
    init?.signal?.throwIfAborted();
    const { origin } = new URL(url instanceof Request ? url.url : url);
    throw new NoServerError(
      `No server answers at ${origin}. Start one with \`npm start\`, or name another by THALAMUS_URL or \`login --url\`.`,
      {
        cause,
      },
    );
  }
}
