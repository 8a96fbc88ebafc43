// The protocol's names of items of a workspace: they contain the workspace's id, so that its rows can be found.

export type InWorkspace = { workspaceId: string; id: string };

/** The name of a grant or a person for the protocol. */
export function nameOf({ workspaceId, id }: InWorkspace): string {
  return `${workspaceId}.${id}`;
}

/** The meaning of such a name. Throws for anything else. */
export function partsOf(name: unknown): InWorkspace {
  const [workspaceId, id] = typeof name === 'string' ? name.split('.') : [];
  if (!workspaceId || !id) throw new Error('a grant or an account has no workspace in its name');
  return { workspaceId, id };
}
