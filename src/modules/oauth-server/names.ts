// How the protocol names what belongs to a workspace: with the workspace's id, so that its rows can be found.

export type InWorkspace = { workspaceId: string; id: string };

/** The name of a grant or a person for the protocol. */
export function nameOf({ workspaceId, id }: InWorkspace): string {
  return `${workspaceId}.${id}`;
}

/** What such a name means. Throws for anything else. */
export function partsOf(name: unknown): InWorkspace {
  const [workspaceId, id] = typeof name === 'string' ? name.split('.') : [];
  if (!workspaceId || !id) throw new Error('a grant or an account has no workspace in its name');
  return { workspaceId, id };
}
