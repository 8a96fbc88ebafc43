import { mayActAsPerson } from '#kernel/caller';
import type { Context } from '#kernel/context';
import { AppError, createNotFoundError } from '#kernel/errors';
import { defineOperation } from '#kernel/operation';
import type { Vault } from '#platform/vault';
import { z } from 'zod';
import { getTierEventScope, variableChanged } from '../events.ts';
import { scopeId } from '../ids.ts';
import { checkSigningKey, keyPlacement } from '../signing-key.ts';
import { changeVariable, findVariables, type VariableRow } from '../store/variables.ts';
import { buildValueColumn } from '../variables.ts';
import { checkMayChange, checkMayWiden, checkWritesAt, resolveTier } from '../access/tier-rules.ts';
import {
  hosts,
  placements,
  present,
  variableDescription,
  variableName,
  variableOutput,
  varScope,
} from '../variable-fields.ts';

export const updateVariable = (vault: Vault) =>
  defineOperation({
    name: 'update_variable',
    summary: "Change a variable's hosts, placements or description; its value and handle stay.",
    toolset: 'variables',
    effect: 'write',
    isWidening: true,
    access: { scope: 'shared_variables:write', isForPeople: true },
    rest: [{ method: 'PATCH', path: '/v1/variables/{var_scope}/{var_name}' }],
    input: z.strictObject({
      var_scope: varScope,
      scope_id: scopeId.optional(),
      var_name: variableName,
      hosts: hosts.optional(),
      placements: placements.optional(),
      description: variableDescription.optional(),
    }),
    output: variableOutput,
    errors: ['forbidden', 'not_found', 'invalid_input'],
    examples: [
      {
        title: 'Let a token be sent to its API',
        input: { var_scope: 'person', var_name: 'MY_TOKEN', hosts: ['api.acme.example'] },
      },
    ],
    async run(ctx, { var_scope, scope_id, var_name, ...change }) {
      if (!Object.keys(change).length)
        throw new AppError('invalid_input', 'Nothing to change. Pass hosts, placements or description.');
      const variableTier = await resolveTier(ctx, { var_scope, scope_id });
      await checkMayChange(ctx, variableTier);
      checkWritesAt(ctx, variableTier);
      const [before] = await findVariables(ctx.db, [variableTier], { names: [var_name] });
      if (!before) throw createNotFoundError('variable');
      checkMayWiden(ctx, before, change);
      if (change.placements?.includes(keyPlacement)) await checkIsKey(ctx, vault, before);
      const isAgents = !mayActAsPerson(ctx.caller);
      const described = { description_by: ctx.caller.label, is_description_unseen: isAgents };
      const row = await changeVariable(ctx.db, variableTier, var_name, {
        ...change,
        ...(change.description !== undefined && described),
        updated_at: ctx.now,
      });
      if (!row) throw createNotFoundError('variable');
      ctx.auditFacts['variable'] = { name: row.name, hosts: row.hosts, placements: row.placements };
      await ctx.emit(
        variableChanged({ variable_id: row.id, var_scope, change: 'set' }, getTierEventScope(variableTier)),
      );
      return present(row);
    },
  });

/** Throws unless code may sign with the present value. */
async function checkIsKey({ db }: Context, vault: Vault, row: VariableRow): Promise<void> {
  const value = await vault.open(db, buildValueColumn(row.workspace_id, row.id), row.value);
  checkSigningKey(value, { isOfAgent: row.set_by_kind === 'agent' });
}
