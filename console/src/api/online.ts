import { onlineManager } from '@tanstack/react-query';

/** A server on the same machine needs no network. */
function isOwnMachine(): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(location.hostname);
}

/** Keeps queries from waiting for a network that they do not need. */
export function startOnline(): void {
  if (isOwnMachine()) onlineManager.setEventListener(() => {});
}

/** Whether the server may be reachable. False: no request leaves this machine. */
export function isOnline(): boolean {
  return isOwnMachine() || navigator.onLine;
}

export function subscribeOnline(onChange: () => void): () => void {
  return onlineManager.subscribe(onChange);
}
