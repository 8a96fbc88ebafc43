import { useEffect, useEffectEvent } from 'react';
import { areLetterKeysOn } from './letter-keys.ts';

/** Handlers by key: `a`, `?`, or `g i` for a sequence. */
export type Keys = Readonly<Record<string, (() => void) | undefined>>;

/** A toast is a dialog, too, but does not block the page. */
const openAbove = '[role=dialog]:not([aria-modal=false]),[role=alertdialog],[role=menu]';
const prefix = 'g';
const prefixLastsMs = 1_200;
let prefixedAt = -Infinity;

/**
 * Binds keys while mounted. They are inactive while a person types, holds a modifier, or has a dialog open; single
 * characters also when the person turned them off.
 */
export function useKeys(keys: Keys): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.altKey || event.repeat) return;
    if (isTyping(event.target) || document.querySelector(openAbove)) return;
    if (event.key.length === 1 && !areLetterKeysOn()) return;
    const act = keys[getStroke(event)];
    if (!act) return;
    event.preventDefault();
    act();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event);
    window.addEventListener('keydown', listener);
    return () => window.removeEventListener('keydown', listener);
  }, []);
}

/** Returns `g i` when `g` was pressed just before. All listeners of one event get the same result. */
function getStroke(event: KeyboardEvent): string {
  const age = event.timeStamp - prefixedAt;
  if (age > 0 && age < prefixLastsMs) {
    setTimeout(() => (prefixedAt = -Infinity));
    return `${prefix} ${event.key}`;
  }
  if (event.key === prefix) prefixedAt = event.timeStamp;
  return event.key;
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}
