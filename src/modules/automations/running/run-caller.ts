// The caller of a run: its automation, with its owner's rights limited to those of an agent and to its grants.
import { createCaller, type Caller } from '#kernel/caller';
import type { Db } from '#kernel/database';
import { limitReads, type DeclaredRead } from '#kernel/declared-reads';
import { AppError } from '#kernel/errors';
import type { Grant } from '#kernel/grants';
import type { Rule } from '#kernel/rule';
import { agentScopes, listRoleScopes, type Scope } from '#kernel/scopes';
import { findPerson } from '#modules/accounts';
import { readPersonalBrainId } from '#modules/brains';
import { createRunBudget } from '../cost-caps.ts';
import { wasEverActive } from '../changes/activation.ts';
import { listAcknowledgedHosts } from '../store/automations.ts';
import type { AutomationRow, RunRow, WritePolicy } from '../store/tables.ts';

/** The operation with the values that an automation keeps for itself. */
const ownStore = 'automation_kv';

const outside: Pick<Rule, 'risks'> = { risks: ['write', 'destructive'] };
const drafts: Rule = { ...outside, effect: 'require_approval', note: 'An automation drafts, and a person decides.' };

/** The caller of a run. Throws when its owner has left. */
export async function readRunCaller(
  db: Db,
  automation: AutomationRow,
  run: Pick<RunRow, 'id' | 'starter' | 'grants' | 'mode' | 'slot' | 'attempt' | 'chain'>,
): Promise<Caller> {
  const { id, name, workspace_id: workspaceId, person_id: personId, brain_id } = automation;
  const person = await findPerson(db, personId);
  if (!person) throw new AppError('forbidden', 'The account of the owner was deleted.');
  const { starter, grants, mode, attempt } = run;
  const may = new Set<Scope>(
    listRoleScopes(person.role).filter((scope) => canRunUseScope(scope, automation.write_policy, mode)),
  );
  return createCaller({
    kind: 'run',
    id,
    label: `Automation ${name}`,
    workspaceId,
    personId,
    role: person.role,
    scopes: starter ? new Set([...may].filter((scope) => starter.scopes.includes(scope))) : may,
    homeBrainId:
      starter?.reach === 'brain' ? starter.homeBrainId : (brain_id ?? (await readPersonalBrainId(db, personId))),
    reach: starter?.reach ?? 'owner',
    ownRules: mergeRunRules(automation.write_policy, starter?.ownRules ?? []),
    grants: grants.filter(({ tool }) => !tool.startsWith('admin_')),
    run: {
      id: run.id,
      mode,
      slot: getRunSlot(run),
      isRetry: attempt > 1,
      chain: [...run.chain, id],
      starter: starter?.kind,
      isTrial: !wasEverActive(automation),
      budget: createRunBudget(id, run.id),
    },
  });
}

/** The name of what a run is for. All runs for the same occasion share it. */
export function getRunSlot({ slot }: Pick<RunRow, 'slot'>): string {
  return slot.replace(/#\d+$/, '');
}

function canRunUseScope(scope: Scope, policy: WritePolicy, mode: RunRow['mode']): boolean {
  return (
    agentScopes.includes(scope) || (scope === 'actions:confirm' && policy === 'auto_confirm_safe' && mode === 'live')
  );
}

/** The rules of the starting key restrict the run, too. None of them allows skipping an approval. */
function mergeRunRules(policy: WritePolicy, ofStarter: readonly Rule[]): Rule[] {
  const narrowing = ofStarter.map((rule): Rule => (rule.effect === 'allow' ? { ...rule, ...drafts } : rule));
  const safe: Rule[] = policy === 'auto_confirm_safe' ? [{ effect: 'allow', is_safe: true }] : [];
  return [...narrowing, ...safe, drafts];
}

/**
 * The hosts that a run may reach. For an automation that no person ever activated, hosts that an agent acknowledged
 * count only when a person runs it.
 */
export function listRunHosts(db: Db, automation: AutomationRow, starter: RunRow['starter']): Promise<string[]> {
  const isJudged = wasEverActive(automation) || starter?.isPerson === true;
  return listAcknowledgedHosts(db, automation.id, { isByPerson: !isJudged });
}

/**
 * The grants of a run. `http_fetch` reaches only acknowledged hosts, and reads by POST only at accepted endpoints. Data
 * that an automation stores for itself needs no grant.
 */
export function freezeGrants(
  { tool_grants }: Pick<AutomationRow, 'tool_grants'>,
  hosts: readonly string[],
  reads: readonly DeclaredRead[],
): Grant[] {
  const ofStore: Grant[] = tool_grants.some(({ tool }) => tool === ownStore) ? [] : [{ tool: ownStore }];
  return [...tool_grants, ...ofStore].map((grant) => {
    if (grant.tool !== 'http_fetch') return grant;
    const named = grant.params?.['hosts'];
    const allowed = Array.isArray(named) ? hosts.filter((host) => named.includes(host)) : [...hosts];
    return limitReads({ tool: grant.tool, params: { ...grant.params, hosts: allowed } }, reads);
  });
}
