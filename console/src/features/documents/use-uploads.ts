import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useRef, useState } from 'react';
import { formatErrorMessage } from '../../api/api-error.ts';
import { notifySuccess } from '../../design/toasts.tsx';
import { uploadDocument } from './requests.ts';

export type Upload = {
  id: number;
  name: string;
  size: number;
  state: 'waiting' | 'sending' | 'reading' | 'failed';
  /** Share of the bytes sent so far, from 0 to 1. */
  share: number;
  error: string | null;
};

/** Uploads files to a brain one after another. Stored files leave the list. `keepsBoth`: a file replaces none of its name. */
export function useUploads(brainId: string, keepsBoth: boolean) {
  const queryClient = useQueryClient();
  const [uploads, setUploads] = useState<readonly Upload[]>([]);
  const queue = useRef(Promise.resolve());
  const stops = useRef(new Map<number, AbortController>());
  const lastId = useRef(0);

  const change = useCallback((id: number, to: Partial<Upload>) => {
    setUploads((all) => all.map((each) => (each.id === id ? { ...each, ...to } : each)));
  }, []);
  const remove = useCallback((id: number) => {
    stops.current.get(id)?.abort();
    stops.current.delete(id);
    setUploads((all) => all.filter((each) => each.id !== id));
  }, []);

  const send = async (id: number, file: File, stop: AbortController) => {
    if (stop.signal.aborted) return;
    change(id, { state: 'sending' });
    const onProgress = (share: number) => change(id, share < 1 ? { share } : { share, state: 'reading' });
    try {
      const { title, is_new, replaced_id } = await uploadDocument(
        file,
        { brainId, keepsBoth },
        { signal: stop.signal, onProgress },
      );
      notifySuccess(
        replaced_id ? 'Former version replaced' : is_new ? 'Document stored' : 'Document was already there',
        title,
      );
      remove(id);
      await queryClient.invalidateQueries({ queryKey: ['documents'] });
    } catch (error) {
      if (!stop.signal.aborted) change(id, { state: 'failed', error: formatErrorMessage(error) });
    }
  };

  function add(files: readonly File[]): void {
    for (const file of files) {
      const id = (lastId.current += 1);
      const stop = new AbortController();
      stops.current.set(id, stop);
      const { name, size } = file;
      setUploads((all) => [...all, { id, name, size, state: 'waiting', share: 0, error: null }]);
      queue.current = queue.current.then(() => send(id, file, stop));
    }
  }
  return { uploads, add, remove };
}
