// Turns members of a roster as callers name them into entries with their present names.
import type { Context } from '#kernel/context';
import { AppError, createNotFoundError } from '#kernel/errors';
import { findGrant } from '#modules/oauth-server';
import { findAutomation, type WorkflowAutomation } from '#modules/automations';
import type { MemberInput, RosterEntry } from './parts.ts';
import { findKeyLabel, findPersonName } from './store/workflows.ts';

/** The entries of members. `own` are the workflow's automations, which a member may name by their name. */
export async function buildRosterEntries(
  ctx: Context,
  members: readonly MemberInput[],
  own: readonly WorkflowAutomation[],
): Promise<RosterEntry[]> {
  const entries: RosterEntry[] = [];
  for (const { part, ...ids } of members) entries.push({ ...(await findMember(ctx, ids, own)), part });
  return entries;
}

async function findMember(
  { db }: Context,
  { person_id, key_id, client_id, automation_id, automation }: Omit<MemberInput, 'part'>,
  own: readonly WorkflowAutomation[],
): Promise<Omit<RosterEntry, 'part'>> {
  if (person_id) return buildEntry('person', person_id, await findPersonName(db, person_id));
  if (key_id) return buildEntry('key', key_id, await findKeyLabel(db, key_id));
  if (client_id) return buildEntry('client', client_id, (await findGrant(db, client_id))?.client_name);
  if (automation_id) return buildEntry('automation', automation_id, (await findAutomation(db, automation_id))?.name);
  const named = own.find(({ name }) => name === automation);
  if (!named)
    throw new AppError(
      'invalid_input',
      `roster: this workflow has no automation called ${automation}. Add it in \`automations\`, or send its automation_id.`,
    );
  return buildEntry('automation', named.id, named.name);
}

function buildEntry(kind: RosterEntry['kind'], id: string, name: string | undefined): Omit<RosterEntry, 'part'> {
  if (name === undefined) throw createNotFoundError(kind);
  return { kind, id, name };
}
