/** Whether a URL fragment is a sign-in token. */
export function isSignInToken(hash: string): boolean {
  return /^tl_[\w-]+$/.test(hash);
}
