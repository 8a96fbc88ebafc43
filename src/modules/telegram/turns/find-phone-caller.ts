// The caller behind a linked phone, and its scopes.
import { createCaller, type Caller } from '#kernel/caller';
import type { Db } from '#kernel/database';
import { agentScopes } from '#kernel/scopes';
import { findPerson } from '#modules/accounts';
import { readPersonalBrainId } from '#modules/brains';
import type { LinkRow } from '../store/links.ts';

/** The person behind a linked phone as a caller; null when they have left the workspace. */
export async function findPhoneCaller(db: Db, link: LinkRow): Promise<Caller | null> {
  const person = await findPerson(db, link.person_id);
  if (!person) return null;
  return createCaller({
    kind: 'telegram',
    id: link.id,
    label: person.name,
    workspaceId: link.workspace_id,
    personId: person.id,
    role: person.role,
    scopes: new Set(agentScopes),
    homeBrainId: link.brain_id ?? (await readPersonalBrainId(db, person.id)),
    isHumanSurface: link.is_human_surface,
  });
}
