import { defineOperation } from '#kernel/operation';
import { uri } from '#kernel/uri';
import { z } from 'zod';
import { scopeId } from '../ids.ts';
import { makeLink } from '../links/links.ts';
import { sharedTier } from '../access/tier-rules.ts';
import { hosts, placements, variableDescription, variableName, varScope } from '../variable-fields.ts';

const minutes = 10;

export function createVariableLink(publicUrl: string) {
  return defineOperation({
    name: 'create_variable_link',
    summary: 'Create a link where a person sets one variable, so that you never see its value. Give them the link.',
    toolset: 'variables',
    effect: 'write',
    isWidening: true,
    hasSecretAnswer: true,
    access: { scope: 'variables:write', also: [sharedTier] },
    rest: [{ method: 'POST', path: '/v1/variable-links' }],
    input: z.strictObject({
      var_name: variableName,
      var_scope: varScope,
      scope_id: scopeId.optional(),
      description: variableDescription.optional(),
      placements: placements.optional(),
      hosts: hosts.optional().describe('Where you want to send it. The person sees this, and decides.'),
    }),
    output: z.object({ url: uri(), expires_in: z.string(), single_use: z.literal(true) }),
    errors: ['forbidden', 'not_found', 'invalid_input'],
    examples: [
      {
        title: 'A token for everybody',
        input: { var_name: 'APIFY_TOKEN', var_scope: 'org', hosts: ['api.apify.com'] },
      },
    ],
    async run(ctx, { var_name, var_scope, scope_id, description = '', placements: given, hosts: proposed = [] }) {
      const field = { name: var_name, label: var_name, description, inputType: 'password', hosts: proposed };
      const token = await makeLink(ctx, {
        var_scope,
        scope_id,
        label: var_name,
        fields: [{ ...field, ...(given && { placements: given }), asksHosts: true }],
        consent: null,
        minutes,
      });
      const url = `${publicUrl}/set-variable/${token}`;
      return { url, expires_in: `${minutes} minutes`, single_use: true as const };
    },
  });
}
