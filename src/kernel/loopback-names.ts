const address = /^127(?:\.\d{1,3}){3}$/;

/** Whether a host name, as `URL` returns it, means this machine. */
export function isLoopbackName(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || address.test(hostname);
}
