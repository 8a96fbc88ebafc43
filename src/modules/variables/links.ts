// Makes links by which a person enters values that no agent sees.
import type { Context } from '#kernel/context';
import { issueSecret } from '#platform/one-time-secrets';
import type { ConsentPlan } from './consent-plan.ts';
import { insertLink, type LinkField } from './store/links.ts';
import { findVariables } from './store/variables.ts';
import { checkMayChange, standingOf, type Standing, type Tier } from './tiers.ts';

/** The purpose of the secrets of such links. */
export const linkPurpose = 'variable_link';

type Asked = {
  var_scope: Tier;
  scope_id?: string | undefined;
  label: string;
  fields: LinkField[];
  consent: ConsentPlan | null;
  minutes: number;
};

/** Makes a link for a caller who may change its variables, and returns its token. */
export async function makeLink(ctx: Context, asked: Asked): Promise<string> {
  const standing = await standingOf(ctx, asked);
  await checkMayChange(ctx, standing);
  const { now: at, caller } = ctx;
  const [id, expiresAt] = [ctx.newId(), new Date(at.getTime() + asked.minutes * 60_000)];
  const made = { purpose: linkPurpose, prefix: 'sv', subjectId: id, workspaceId: caller.workspaceId, at, expiresAt };
  const token = await issueSecret(ctx.db, made);
  await insertLink(ctx.db, {
    id,
    workspace_id: caller.workspaceId,
    scope: standing.scope,
    scope_id: standing.scopeId,
    brain_id: standing.scope === 'brain' ? standing.scopeId : null,
    label: asked.label,
    fields: await withFormer(ctx, standing, asked.fields),
    consent: asked.consent,
    created_by: caller.personId,
    created_by_label: caller.label,
    created_at: at,
  });
  return token;
}

/** An existing variable keeps its proposed hosts, unless the link has others. */
async function withFormer(ctx: Context, standing: Standing, fields: readonly LinkField[]): Promise<LinkField[]> {
  const rows = await findVariables(ctx.db, [standing], { names: fields.map(({ name }) => name) });
  return fields.map((field) => {
    const former = rows.find(({ name }) => name === field.name);
    if (!former || !field.asksHosts) return field;
    const { placements = former.placements, hosts } = field;
    return { ...field, placements, hosts: hosts.length ? hosts : former.hosts };
  });
}
