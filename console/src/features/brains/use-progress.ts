import { useEffect, useRef, useState } from 'react';
import type { TransferOptions } from './archive-requests.ts';

type Progress = { lines: number; of: number | null };

/** Progress of a task, and a way to cancel it. The task is cancelled when its component unmounts. */
export function useProgress() {
  const [progress, setProgress] = useState<Progress | null>(null);
  const stop = useRef<AbortController | null>(null);
  useEffect(() => () => stop.current?.abort(), []);
  return {
    progress,
    begin(): TransferOptions {
      stop.current = new AbortController();
      setProgress({ lines: 0, of: null });
      return { signal: stop.current.signal, onProgress: (lines, of) => setProgress({ lines, of }) };
    },
    end: () => setProgress(null),
    cancel: () => stop.current?.abort(),
  };
}
