// A program that signs in by itself and then uses these helpers may have stored only the cookie of its session. The proof came in the
// same answer, to the same process.
const proofs = new Map<string, string>();
const send = globalThis.fetch;

globalThis.fetch = async (...request) => {
  const answer = await send(...request);
  if (new URL(answer.url || 'http://none').pathname === '/auth/sign-in') await keepProof(answer.clone());
  return answer;
};

/** The proof of a session whose sign-in this process saw; empty: it saw none. */
export function findSeenProof(cookie: string): string {
  return proofs.get(cookie) ?? '';
}

async function keepProof(answer: Response): Promise<void> {
  const body = (await answer.json().catch(() => ({}))) as { session_proof?: string }; // null and other forms have none
  for (const line of answer.headers.getSetCookie())
    if (body.session_proof) proofs.set(line.split(';')[0] ?? '', body.session_proof);
}
