// The second secret of a session. Its cookie is sent to every port of this host; the secret stays with this origin.

/** The same name as in the script of the server's own pages: src/faces/web/proof-script.ts. */
const storageKey = 'thalamus_session_proof';

/** If a browser refuses storage, it is kept until the page is closed. */
let keptHere: string | null = null;

/** Keeps the proof of the session that was just opened, for all tabs. */
export function keepSessionProof(proof: string): void {
  keptHere = proof;
  tryStorage((storage) => storage.setItem(storageKey, proof));
}

export function forgetSessionProof(): void {
  keptHere = null;
  tryStorage((storage) => storage.removeItem(storageKey));
}

/** A header for calls: without it the session's cookie does not authenticate. */
export function getSessionProofHeader(): Record<string, string> {
  const proof = tryStorage((storage) => storage.getItem(storageKey)) ?? keptHere;
  return proof === null ? {} : { 'thalamus-session-proof': proof };
}

function tryStorage<T>(use: (storage: Storage) => T): T | undefined {
  try {
    return use(localStorage);
  } catch {
    return undefined;
  }
}
