import { ApiError, parseProblem } from './api-error.ts';
import { getSessionProofHeader } from './session-proof.ts';
import { getShownWorkspaceHeader } from './shown-workspace.ts';

export type UploadOptions = {
  signal: AbortSignal;
  /** Share of the bytes sent so far, from 0 to 1. */
  onProgress: (share: number) => void;
};

/** Posts a form and reports progress, which `fetch` cannot. Throws `ApiError`, or `AbortError` after a cancel. */
export function upload<Answer>(path: string, form: FormData, { signal, onProgress }: UploadOptions): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const unreached = 'The server does not answer. Check that it is running, then try again.';
    request.responseType = 'json';
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(total ? loaded / total : 0));
    request.addEventListener('error', () =>
      reject(new ApiError({ status: 0, code: 'unreachable', detail: unreached })),
    );
    request.addEventListener('abort', () => reject(new DOMException('Cancelled', 'AbortError')));
    request.addEventListener('load', () => {
      const { status, response } = request as { status: number; response: unknown };
      if (status >= 200 && status < 300) resolve(response as Answer); // checked by the server against the output schema
      else reject(new ApiError(parseProblem(response, status)));
    });
    signal.addEventListener('abort', () => request.abort());
    if (signal.aborted) return reject(new DOMException('Cancelled', 'AbortError'));
    request.open('POST', path);
    for (const [name, value] of Object.entries({ ...getSessionProofHeader(), ...getShownWorkspaceHeader() }))
      request.setRequestHeader(name, value);
    request.send(form);
  });
}
