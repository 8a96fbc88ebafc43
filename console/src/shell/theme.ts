import { useState } from 'react';

export type Theme = 'system' | 'light' | 'dark';

const storageKey = 'thalamus.theme'; // read by public/theme.js before the first paint

/** The chosen theme and the way to choose another; `system` follows the system as it changes. */
export function useTheme(): [Theme, (theme: Theme) => void] {
  const [theme, setTheme] = useState<Theme>(getChosenTheme);
  const choose = (next: Theme) => {
    setTheme(next);
    if (next === 'system') {
      localStorage.removeItem(storageKey);
      delete document.documentElement.dataset['theme'];
    } else {
      localStorage.setItem(storageKey, next);
      document.documentElement.dataset['theme'] = next;
    }
  };
  return [theme, choose];
}

function getChosenTheme(): Theme {
  const kept = localStorage.getItem(storageKey);
  return kept === 'light' || kept === 'dark' ? kept : 'system';
}
