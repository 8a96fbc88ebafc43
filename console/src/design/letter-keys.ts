import { useSyncExternalStore } from 'react';

const storageKey = 'thalamus.letter-keys';
const changed = new EventTarget();

/** Whether single characters act as keys. Speech input and shaky hands press them by accident. */
export function areLetterKeysOn(): boolean {
  return localStorage.getItem(storageKey) !== 'off';
}

export function setLetterKeys(areOn: boolean): void {
  if (areOn) localStorage.removeItem(storageKey);
  else localStorage.setItem(storageKey, 'off');
  changed.dispatchEvent(new Event('change'));
}

/** The same, kept up to date. */
export function useLetterKeys(): boolean {
  return useSyncExternalStore(listen, areLetterKeysOn);
}

function listen(onChange: () => void): () => void {
  changed.addEventListener('change', onChange);
  window.addEventListener('storage', onChange);
  return () => {
    changed.removeEventListener('change', onChange);
    window.removeEventListener('storage', onChange);
  };
}
