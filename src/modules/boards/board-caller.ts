// The server itself, writing to one board for a person who may still edit it.
import { createCaller, type Caller } from '#kernel/caller';

type BoardWriter = {
  /** What writes: a dataset recipe or a form. */
  id: string;
  label: string;
  workspaceId: string;
  personId: string;
  role: Caller['role'];
  brainId: string;
};

/** Its only scope is to write rows; what its person may do there is asked at each call. */
export function createBoardCaller({ id, label, workspaceId, personId, role, brainId }: BoardWriter): Caller {
  const scopes = new Set(['boards:write'] as const);
  return createCaller({ kind: 'system', id, label, workspaceId, personId, role, scopes, homeBrainId: brainId });
}
