// The protocol's names of items of a workspace. They contain the workspace's id, so that its rows can be found.

export type WorkspaceItem = { workspaceId: string; id: string };

/** The name of a grant or a person for the protocol. */
export function buildProtocolName({ workspaceId, id }: WorkspaceItem): string {
  return `${workspaceId}.${id}`;
}

/** The meaning of such a name. Throws for anything else. */
export function parseProtocolName(name: unknown): WorkspaceItem {
  const [workspaceId, id] = typeof name === 'string' ? name.split('.') : [];
  if (!workspaceId || !id) throw new Error('a grant or an account has no workspace in its name');
  return { workspaceId, id };
}
