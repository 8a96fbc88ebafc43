import { useEffect, useEffectEvent } from 'react';

/** What a key does, by what it types: `a`, `?`, or `g i` for one after the other. */
export type Keys = Readonly<Record<string, (() => void) | undefined>>;

/** A toast is a dialog, too, but one that leaves the page to the person. */
const openAbove = '[role=dialog]:not([aria-modal=false]),[role=alertdialog],[role=menu]';
const prefix = 'g';
const prefixLastsMs = 1_200;
let prefixedAt = -Infinity;

/** Binds keys while mounted. They rest while a person types, holds a modifier, or has a dialog open. */
export function useKeys(keys: Keys): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.altKey || event.repeat) return;
    if (isTyping(event.target) || document.querySelector(openAbove)) return;
    const act = keys[nameOf(event)];
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

/** `g i` when `g` came just before. Every listener of one event has to get the same answer. */
function nameOf(event: KeyboardEvent): string {
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
