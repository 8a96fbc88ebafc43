import { onlineManager } from '@tanstack/react-query';

/** A server on the person's own machine is reached without any network. */
const isOwnMachine = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(location.hostname);

/** Has what waits for a network wait for none where none is needed. */
export function startOnline(): void {
  if (isOwnMachine) onlineManager.setEventListener(() => {});
}

/** Whether the server may be reached; false: surely nothing leaves this machine. */
export function isOnline(): boolean {
  return isOwnMachine || navigator.onLine;
}

export function subscribeOnline(onChange: () => void): () => void {
  return onlineManager.subscribe(onChange);
}
