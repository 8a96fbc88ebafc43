const name = 'thalamus-in-view';

/** Tells the other tabs, for as long as this one is in view. Answers how to end it. */
export function publishVisibility(): () => void {
  let release = () => {};
  const follow = () => {
    release();
    if (document.visibilityState !== 'visible' || !('locks' in navigator)) return;
    const held = new Promise<void>((resolve) => (release = resolve));
    void navigator.locks.request(name, { mode: 'shared' }, () => held);
  };
  follow();
  document.addEventListener('visibilitychange', follow);
  return () => {
    document.removeEventListener('visibilitychange', follow);
    release();
  };
}

/** Whether a person looks at the console, in this tab or in another. */
export async function isInView(): Promise<boolean> {
  if (document.visibilityState === 'visible') return true;
  if (!('locks' in navigator)) return false;
  const { held = [] } = await navigator.locks.query();
  return held.some((lock) => lock.name === name);
}
