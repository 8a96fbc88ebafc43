import { useEffect } from 'react';
import { closeNotices } from './browser-notices.ts';
import { publishVisibility } from './visible-tabs.ts';

/** While mounted, notices go as soon as somebody looks, and other tabs know whether somebody does. */
export function useNotices(): void {
  useEffect(() => {
    const look = () => void (document.visibilityState === 'visible' && closeNotices());
    const stopTelling = publishVisibility();
    document.addEventListener('visibilitychange', look);
    window.addEventListener('pagehide', closeNotices);
    return () => {
      stopTelling();
      document.removeEventListener('visibilitychange', look);
      window.removeEventListener('pagehide', closeNotices);
      closeNotices();
    };
  }, []);
}
