// What a request of http_fetch will be when it leaves: rules, grants and the gate are asked about that, never about its template.
import type { Context } from '#kernel/context';
import { refuseBraces } from '#kernel/pasted-secret';
import { fillAddress, handlesIn, listReadings, parseAddress, writesOnGetAt, type Handle } from '#platform/egress';
import type { Vault } from '#platform/vault';
import { resolveHandles, type Resolved } from './resolve-handles.ts';
import { addressAt, askedAddress, standInFor, type BaseUrls } from './tokens/stand-in.ts';

type Request = {
  method: string;
  url: string;
  headers?: Record<string, string> | undefined;
  body?: string | undefined;
  brain_id?: string | undefined;
};

/** A request with its secrets found. `url` is canonical and holds handles; `address` is what leaves, and is never stored or shown. */
export type JudgedRequest = { url: string; address: URL; standIn: string | null; resolved: Resolved };

const reads = ['GET', 'HEAD'];

/**
 * Finds the secrets of a request and fills its address. Throws for an address or a handle that egress would refuse, and for a name in
 * double braces that nothing was filled in for.
 */
export async function judgeRequest(
  { vault, baseUrls }: { vault: Vault; baseUrls: BaseUrls },
  ctx: Context,
  { url: written, headers = {}, body, brain_id }: Request,
): Promise<JudgedRequest> {
  refuseBraces('url', written);
  for (const [name, value] of Object.entries(headers)) refuseBraces(`headers.${name}`, value);
  const url = parseAddress(written).href;
  const resolved = await resolveHandles(vault, ctx, [url, ...Object.entries(headers).flat(), body ?? ''], brain_id);
  const handles = allHandles(resolved);
  const standIn = standInFor(url, handles, baseUrls);
  const address = askedAddress(fillAddress(addressAt(url, standIn), handles), url, standIn);
  return { url, address, standIn, resolved };
}

/** Every secret of a request: variables, and what the run of the caller has of its own. */
export function allHandles({ handles, ofRun }: Resolved): Handle[] {
  return [...handles, ...ofRun.map((each) => each.handle)];
}

/** Whether a request may change something there: by its method, or since the service does so whatever the method. */
export function mayChange(method: string, address: URL): boolean {
  return !reads.includes(method) || writesOnGetAt(address) !== undefined;
}

/** Whether the address of a request depends on a secret. */
export function isTemplate(url: string): boolean {
  return URL.canParse(url) && handlesIn(parseAddress(url).href).length > 0;
}

/** What a rule is asked about a request to an address, in every reading of it. */
export function listTargets(method: string, address: URL): string[] {
  return listReadings(address).map((reading) => `${method} ${reading}`);
}
