// Making the links by which a person gives values that no agent sees.
import { createHash, randomBytes } from 'node:crypto';
import type { Context } from '#kernel/context';
import type { ConsentPlan } from './consent-plan.ts';
import { insertLink, type LinkField } from './store/links.ts';
import { findVariables } from './store/variables.ts';
import { checkMayChange, standingOf, type Standing, type Tier } from './tiers.ts';

/** A new token for an address: 256 random bits, of which only the hash is stored. */
export function newToken(): string {
  return `sv_${randomBytes(32).toString('base64url')}`;
}

export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

type Asked = {
  var_scope: Tier;
  scope_id?: string | undefined;
  label: string;
  fields: LinkField[];
  consent: ConsentPlan | null;
  minutes: number;
};

/** Makes a link for who may change what it will set, and answers its token. */
export async function makeLink(ctx: Context, asked: Asked): Promise<string> {
  const standing = await standingOf(ctx, asked);
  await checkMayChange(ctx, standing);
  const token = newToken();
  await insertLink(ctx.db, {
    id: ctx.newId(),
    workspace_id: ctx.caller.workspaceId,
    token_hash: hashToken(token),
    scope: standing.scope,
    scope_id: standing.scopeId,
    brain_id: standing.scope === 'brain' ? standing.scopeId : null,
    label: asked.label,
    fields: await withFormer(ctx, standing, asked.fields),
    consent: asked.consent,
    created_by: ctx.caller.personId,
    created_by_label: ctx.caller.label,
    created_at: ctx.now,
    expires_at: new Date(ctx.now.getTime() + asked.minutes * 60_000),
    used_at: null,
  });
  return token;
}

/** A variable that is there already and is set anew is proposed to go where it went, unless the link says otherwise. */
async function withFormer(ctx: Context, standing: Standing, fields: readonly LinkField[]): Promise<LinkField[]> {
  const rows = await findVariables(ctx.db, [standing], { names: fields.map(({ name }) => name) });
  return fields.map((field) => {
    const former = rows.find(({ name }) => name === field.name);
    if (!former || !field.asksHosts) return field;
    const { placements = former.placements, hosts } = field;
    return { ...field, placements, hosts: hosts.length ? hosts : former.hosts };
  });
}
