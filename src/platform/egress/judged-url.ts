// An address as it will be sent, for code that checks, shows or compares it.
import { listPathReadings } from './canonical-url.ts';
import { EgressError, Failure } from './egress-error.ts';
import { fillUrl, type Handle } from './handles.ts';
import { parseTarget } from './target.ts';

/** An address in its canonical form, as egress sends it. Throws EgressError for an address that egress refuses. */
export function parseAddress(raw: string): URL {
  return withEgressErrors(() => parseTarget(raw));
}

/**
 * The canonical address with the values of handles filled in, for rules. It contains secrets, so it is neither stored
 * nor shown. A handle that is not among `handles` stays. Throws EgressError where egress would refuse one.
 */
export function fillAddress(raw: string, handles: readonly Handle[]): URL {
  return withEgressErrors(() => fillUrl(parseTarget(raw), handles), handles);
}

/** Host and path in every reading of a server, the canonical one first. Rules check each. */
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
