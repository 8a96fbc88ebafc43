// Files from forms that wait for their operation, in this process, for as long as their request lasts.
import { randomUUID } from 'node:crypto';
import { memoizePerServer } from '#kernel/module';
import type { Ground } from '#platform';

/** `cancelled` aborts when the sender disconnects before the answer. */
export type Upload = { path: string; filename: string; mimeType: string; cancelled: AbortSignal };

/** Keeps the file of a request; only this process knows the returned name. */
function createUploads() {
  const waitingUploads = new Map<string, Upload>();
  return {
    keep(upload: Upload): string {
      const name = randomUUID();
      waitingUploads.set(name, upload);
      return name;
    },
    find: (name: string): Upload | undefined => waitingUploads.get(name),
    release: (name: string): void => void waitingUploads.delete(name),
  };
}

export type Uploads = ReturnType<typeof createUploads>;

export const getUploads = memoizePerServer((_ground: Ground) => createUploads());
