/** Whether a URL fragment is the code with which a sign-in at a provider ends. */
export function isProofCode(hash: string): boolean {
  return /^tc_[\w-]+$/.test(hash);
}

/** Whether a URL fragment is a sign-in token. */
export function isSignInToken(hash: string): boolean {
  return /^tl_[\w-]+$/.test(hash);
}
