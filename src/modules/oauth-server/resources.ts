// The addresses that tokens are for (RFC 8707), and the address of each description (RFC 9728). All follow from the
// public address.

const workspacePath = /^\/mcp\/w\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;
/** Other addresses of the same resource. */
const rootPaths = ['', '/', '/mcp', '/sse'];

export type Resources = {
  /** The address that tokens for this resource are bound to; null for one that is not of this server. */
  canonical(resource: string): string | null;
  /** Whether a token for this address is good in this workspace, at any face. */
  isFor(resource: string, workspaceId: string): boolean;
  /** The workspace that an address is of; null: all. */
  workspaceOf(resource: string): string | null;
  /** Where a client learns how to get a token for the address at this path of the server. */
  metadataUrl(path: string): string;
  /** The address at this path of the server; null: no token is for it. */
  at(path: string): string | null;
};

export function createResources(publicUrl: string): Resources {
  const { origin, pathname } = new URL(publicUrl);
  const base = pathname.replace(/\/$/, '');
  const pathOf = (text: string): string | null => {
    const url = URL.parse(text);
    if (!url || url.origin !== origin || url.search || url.hash || url.username || url.password) return null;
    const path = url.pathname.replace(/\/$/, '');
    return path === base || path.startsWith(`${base}/`) ? path.slice(base.length) : null;
  };
  const workspaceOf = (resource: string) => workspacePath.exec(pathOf(resource) ?? '')?.[1] ?? null;
  const isResource = (path: string) => rootPaths.includes(path) || workspacePath.test(path);
  const canonical = (resource: string) => {
    const path = pathOf(resource);
    if (path === null || !isResource(path)) return null;
    return rootPaths.includes(path) ? `${publicUrl}/mcp` : `${publicUrl}${path}`;
  };
  return {
    canonical,
    isFor(resource, workspaceId) {
      const workspace = workspaceOf(resource);
      return canonical(resource) !== null && (workspace === null || workspace === workspaceId);
    },
    workspaceOf,
    metadataUrl: (path) =>
      `${publicUrl}/.well-known/oauth-protected-resource${isResource(path) && path !== '/' ? path : ''}`,
    at: (path) => (isResource(path) ? `${publicUrl}${path || '/'}` : null),
  };
}
