import { writesAsPerson } from '#kernel/caller';
import { AppError, notFound } from '#kernel/errors';
import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { toldTo, variableChanged } from '../events.ts';
import { scopeId } from '../ids.ts';
import { changeVariable, findVariables } from '../store/variables.ts';
import { checkMayChange, checkMayWiden, checkWritesAt, standingOf } from '../tiers.ts';
import {
  hosts,
  placements,
  present,
  variableDescription,
  variableName,
  variableOutput,
  varScope,
} from '../variable-fields.ts';

export const updateVariable = defineOperation({
  name: 'update_variable',
  summary: 'Change the hosts a variable may be sent to, its placements or its description; its value and handle stay.',
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
      throw new AppError('invalid_input', 'Nothing to change was given. Name hosts, placements or description.');
    const standing = await standingOf(ctx, { var_scope, scope_id });
    await checkMayChange(ctx, standing);
    checkWritesAt(ctx, standing);
    const [before] = await findVariables(ctx.db, [standing], { names: [var_name] });
    if (!before) throw notFound('variable');
    checkMayWiden(ctx, before, change);
    const isAgents = !writesAsPerson(ctx.caller);
    const described = { description_by: ctx.caller.label, is_description_unseen: isAgents };
    const row = await changeVariable(ctx.db, standing, var_name, {
      ...change,
      ...(change.description !== undefined && described),
      updated_at: ctx.now,
    });
    if (!row) throw notFound('variable');
    ctx.auditFacts['variable'] = { name: row.name, hosts: row.hosts, placements: row.placements };
    await ctx.emit(variableChanged({ variable_id: row.id, var_scope, change: 'set' }, toldTo(standing)));
    return present(row);
  },
});
