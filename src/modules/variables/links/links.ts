// Creates links with which a person enters values that no agent sees.
import { mayActAsPerson } from '#kernel/caller';
import type { Context } from '#kernel/context';
import { AppError } from '#kernel/errors';
import { findCallerKeyId } from '#modules/accounts';
import { issueSecret } from '#platform/one-time-secrets';
import type { ConsentPlan } from '../consents/consent-plan.ts';
import { insertLink, type LinkField } from '../store/links.ts';
import { findVariables } from '../store/variables.ts';
import { checkMayChange, resolveTier } from '../access/tier-rules.ts';
import type { VariableTier, Tier } from '../tiers.ts';

/** The purpose of the secrets of such links. */
export const linkPurpose = 'variable_link';

type LinkInput = {
  var_scope: Tier;
  scope_id?: string | undefined;
  label: string;
  fields: LinkField[];
  consent: ConsentPlan | null;
  minutes: number;
};

/** Creates a link for a caller who may change its variables, and returns its token. */
export async function makeLink(ctx: Context, asked: LinkInput): Promise<string> {
  const variableTier = await resolveTier(ctx, asked);
  await checkMayChange(ctx, variableTier);
  const { now: at, caller } = ctx;
  const [id, expiresAt] = [ctx.newId(), new Date(at.getTime() + asked.minutes * 60_000)];
  const made = {
    purpose: linkPurpose,
    prefix: 'sv' as const,
    subjectId: id,
    workspaceId: caller.workspaceId,
    at,
    expiresAt,
  };
  const token = await issueSecret(ctx.db, made);
  await insertLink(ctx.db, {
    id,
    workspace_id: caller.workspaceId,
    scope: variableTier.scope,
    scope_id: variableTier.scopeId,
    brain_id: variableTier.scope === 'brain' ? variableTier.scopeId : null,
    label: asked.label,
    fields: await withFormer(ctx, variableTier, asked.fields),
    consent: asked.consent,
    created_by: caller.personId,
    created_by_label: caller.label,
    is_made_by_agent: !mayActAsPerson(caller),
    made_by_key: await findCallerKeyId(ctx),
    created_at: at,
  });
  return token;
}

/** A value that an agent wanted to store where only people may: its person gets a link to store it. */
export type AgentLink = { kind: 'handed'; name: string; scope: Tier; token: string };

const handedMinutes = 10;

type VariableRequest = Pick<LinkField, 'name'> & {
  description?: string | undefined;
  placements?: string[] | undefined;
  hosts?: string[] | undefined;
};

/** Creates the link that an agent gets instead of storing a value itself. The agent's value is discarded. */
export async function makeAgentLink(
  ctx: Context,
  { scope, scopeId }: VariableTier,
  request: VariableRequest,
): Promise<AgentLink> {
  const { name, description = '', placements, hosts = [] } = request;
  const field = { name, label: name, description, inputType: 'password', hosts, asksHosts: true };
  const fields = [{ ...field, ...(placements && { placements }) }];
  const asked = { label: name, fields, consent: null, minutes: handedMinutes };
  const isNamed = scope !== 'org' && scope !== 'person';
  const token = await makeLink(ctx, { var_scope: scope, ...(isNamed && { scope_id: scopeId }), ...asked });
  ctx.auditFacts['handed_over'] = { name, var_scope: scope };
  return { kind: 'handed', name, scope, token };
}

/** Throws `forbidden` with the link, once the link is stored. */
export function refuseWithLink(publicUrl: string, { name, scope, token }: AgentLink): never {
  const url = `${publicUrl}/set-variable/${token}`;
  const message = `Nothing was stored: people set variables of the tier ${scope}, and agents only those of their own tier. Give your person this page, where they can set ${name}: ${url}`;
  throw new AppError('forbidden', message, { var_scope: scope, url, expires_in: `${handedMinutes} minutes` });
}

/** An existing variable keeps its proposed hosts, unless the link has others. */
async function withFormer(
  ctx: Context,
  variableTier: VariableTier,
  fields: readonly LinkField[],
): Promise<LinkField[]> {
  const rows = await findVariables(ctx.db, [variableTier], { names: fields.map(({ name }) => name) });
  return fields.map((field) => {
    const former = rows.find(({ name }) => name === field.name);
    if (!former || !field.asksHosts) return field;
    const { placements = former.placements, hosts } = field;
    return { ...field, placements, hosts: hosts.length ? hosts : former.hosts };
  });
}
