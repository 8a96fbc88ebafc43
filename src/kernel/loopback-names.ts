const address = /^127(?:\.\d{1,3}){3}$/;

/** Whether a host name, as `URL` has it, means the machine itself. */
export function isLoopbackName(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || address.test(hostname);
}
