// The addresses that tokens are for (RFC 8707), and the address of each description (RFC 9728). All are derived from
// the public address. If that is on this machine, the machine's other names mean the same server.
import { isLoopbackName } from '#kernel/loopback-names';

const workspacePath = /^\/mcp\/w\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;
/** Other addresses of the same resource. */
const rootPaths = ['', '/', '/mcp', '/sse'];

export type Resources = {
  /**
   * The address that tokens for this resource are bound to; null for one that does not belong to this server. The query
   * is ignored.
   */
  canonical(resource: string): string | null;
  /** Whether a token for this address is valid in this workspace, at any face. */
  isFor(resource: string, workspaceId: string): boolean;
  /** The workspace that an address belongs to; null: all. */
  findWorkspace(resource: string): string | null;
  /**
   * Where a client learns how to get a token for the address at this path of the server. `host` is the header of the
   * request: a client checks that the description names the address it uses.
   */
  metadataUrl(path: string, host?: string): string;
  /** The address at this path of the server, under the name that the client uses; null: no token is for it. */
  at(path: string, host?: string): string | null;
};

export function createResources(publicUrl: string): Resources {
  const own = new URL(publicUrl);
  const base = own.pathname.replace(/\/$/, '');
  const isOwn = createIsOwn(own);
  const parsePath = (text: string): string | null => {
    const url = URL.parse(text);
    if (!url || !isOwn(url) || url.hash || url.username || url.password) return null;
    const path = url.pathname.replace(/\/$/, '');
    return path === base || path.startsWith(`${base}/`) ? path.slice(base.length) : null;
  };
  const findWorkspace = (resource: string) => workspacePath.exec(parsePath(resource) ?? '')?.[1] ?? null;
  const isResource = (path: string) => rootPaths.includes(path) || workspacePath.test(path);
  const canonical = (resource: string) => {
    const path = parsePath(resource);
    if (path === null || !isResource(path)) return null;
    return rootPaths.includes(path) ? `${publicUrl}/mcp` : `${publicUrl}${path}`;
  };
  /** The public address by the name that a client uses. */
  const buildAddress = (host: string | undefined) => {
    const url = host === undefined ? null : URL.parse(`${own.protocol}//${host}`);
    return url && isOwn(url) ? `${url.origin}${base}` : publicUrl;
  };
  return {
    canonical,
    isFor(resource, workspaceId) {
      const workspace = findWorkspace(resource);
      return canonical(resource) !== null && (workspace === null || workspace === workspaceId);
    },
    findWorkspace,
    metadataUrl(path, host) {
      const end = isResource(path) && path !== '/' ? path : '';
      return `${buildAddress(host)}/.well-known/oauth-protected-resource${end}`;
    },
    at: (path, host) => (isResource(path) ? `${buildAddress(host)}${path || '/'}` : null),
  };
}

/** A public address on another machine has one name: behind its proxy, a local name says nothing about the client. */
function createIsOwn(own: URL): (url: URL) => boolean {
  const isLocal = isLoopbackName(own.hostname);
  return (url) =>
    url.origin === own.origin ||
    (isLocal && url.protocol === own.protocol && url.port === own.port && isLoopbackName(url.hostname));
}
