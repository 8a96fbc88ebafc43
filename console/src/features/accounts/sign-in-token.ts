/** Whether what stands behind the `#` of an address signs somebody in, once. */
export function isSignInToken(hash: string): boolean {
  return /^tl_[\w-]+$/.test(hash);
}
