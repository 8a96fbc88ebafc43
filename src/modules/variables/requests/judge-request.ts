// What a request of http_fetch will be when it is sent: rules, grants and the gate check that, never its template.
import type { Context } from '#kernel/context';
import { refuseBraces } from '#kernel/pasted-secret';
import { fillAddress, listHandles, listReadings, parseAddress, findGetWriter, type Handle } from '#platform/egress';
import type { Vault } from '#platform/vault';
import { resolveHandles, type ResolvedHandles } from '../resolving/resolve-handles.ts';
import { toStandInAddress, toAskedAddress, findStandInUrl, type BaseUrls } from '../tokens/stand-in.ts';

type Request = {
  method: string;
  url: string;
  headers?: Record<string, string> | undefined;
  body?: string | undefined;
  brain_id?: string | undefined;
};

/**
 * A request with its secrets found. `url` is canonical and contains handles; `address` is what is sent, and is never
 * stored or shown.
 */
export type JudgedRequest = { url: string; address: URL; standIn: string | null; resolved: ResolvedHandles };

const reads = ['GET', 'HEAD'];

/**
 * Finds the secrets of a request and fills in its address. Throws for an address or a handle that egress would refuse,
 * and for a name in double braces without a value.
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
  const handles = listAllHandles(resolved);
  const standIn = findStandInUrl(url, handles, baseUrls);
  const address = toAskedAddress(fillAddress(toStandInAddress(url, standIn), handles), url, standIn);
  return { url, address, standIn, resolved };
}

/** Every secret of a request: variables, and the secrets of the caller's run. */
export function listAllHandles({ handles, ofRun }: ResolvedHandles): Handle[] {
  return [...handles, ...ofRun.map((each) => each.handle)];
}

/**
 * Whether a request may change something: because of its method, or because the service changes data with any method.
 */
export function mayChange(method: string, address: URL): boolean {
  return !reads.includes(method) || findGetWriter(address) !== undefined;
}

/** Whether the address of a request depends on a secret. */
export function isTemplate(url: string): boolean {
  return URL.canParse(url) && listHandles(parseAddress(url).href).length > 0;
}

/** What rules check about a request to an address, in every reading of it. */
export function listTargets(method: string, address: URL): string[] {
  return listReadings(address).map((reading) => `${method} ${reading}`);
}
