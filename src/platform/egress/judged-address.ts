// An address as it will leave, for those who judge it, show it or compare it.
import { listPathReadings } from './canonical-address.ts';
import { EgressError, Failure } from './egress-error.ts';
import { fillUrl, type Handle } from './handles.ts';
import { parseTarget } from './target.ts';

/** An address in its one canonical form, as egress sends it. Throws EgressError for one that egress would refuse to read. */
export function parseAddress(raw: string): URL {
  return withEgressErrors(() => parseTarget(raw));
}

/**
 * The canonical address with the values of handles filled in: what a rule is asked about. It holds secrets, so it is
 * neither stored nor shown. A handle that is not among `handles` stays. Throws EgressError where egress would refuse one.
 */
export function fillAddress(raw: string, handles: readonly Handle[]): URL {
  return withEgressErrors(() => fillUrl(parseTarget(raw), handles), handles);
}

/** Host and path in every reading that a server may take, the canonical one first. A rule is asked about each. */
export function listReadings({ host, pathname }: URL): string[] {
  return listPathReadings(pathname).map((path) => `${host}${path}`);
}

function withEgressErrors(read: () => URL, handles: readonly Handle[] = []): URL {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    throw new EgressError(
      error,
      'not_sent',
      handles.map(({ value }) => value),
    );
  }
}
