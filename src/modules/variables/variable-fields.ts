// The fields of variables in inputs and answers.
import { isHostRule, isPlacement, placementKinds } from '#platform/egress';
import { z } from 'zod';
import type { VariableRow } from './store/variables.ts';
import { keyPlacement } from './signing-key.ts';
import { tiers } from './tiers.ts';

export const variableName = z
  .string()
  .min(1)
  .max(128)
  .regex(/^[A-Za-z0-9_]+$/, 'only letters, digits and _, such as STRIPE_SECRET_KEY');

export const variableValue = z
  .string()
  .min(1)
  .max(8_192)
  .describe(
    'The value. White space at its ends is removed. It is sealed at once and never returned. With a link you never see it at all.',
  );

export const variableDescription = z.string().trim().max(500).describe('What it is for; agents see this.');

export const varScope = z
  .enum(tiers)
  .describe('org: everybody in the workspace. brain, agent, permission_set: only that one. person: yourself.');

export const placements = z
  .array(
    z
      .string()
      .max(200)
      .refine(
        (text) => text === keyPlacement || isPlacement(text),
        `must be ${keyPlacement}, or ${placementKinds.join(', ')}, each of these alone or as kind:name`,
      ),
  )
  .min(1)
  .max(20)
  .describe(
    'Where in a request the value may be. Default: header. Others: query:api_key, path, form:code, json:auth.token. hmac: code may sign with it; the value has at least 16 bytes, more than digits, and was set by a person. A person’s value that qualifies has it by default.',
  );

export const hosts = z
  .array(
    z
      .string()
      .max(260)
      .toLowerCase()
      .refine(
        isHostRule,
        'must be api.example.com, *.example.com or host:port, and not a suffix where anybody can register names',
      ),
  )
  .max(50)
  .describe('Hosts the value may be sent to. Empty: it cannot be sent yet.');

export const savedNotice = z
  .string()
  .optional()
  .describe('What was removed from the value, where it cannot be used, or that it cannot be sent anywhere yet.');

export const variableOutput = z.object({
  variable_id: z.uuid(),
  name: z.string(),
  scope: z.enum(tiers),
  scope_id: z.uuid(),
  description: z.string(),
  description_by: z.string().nullable().describe('Who wrote the description; null: there is none.'),
  is_description_unseen: z
    .boolean()
    .describe('An agent wrote it, and no person has saved it with update_variable: load_brain does not show it.'),
  handle: z.string().describe('Write this where the value belongs: http_fetch replaces it when sending.'),
  placements: z.array(z.string()),
  hosts: z.array(z.string()),
  set_by: z.string(),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
});

/** A variable as operations return it: everything except its value. */
export function present(row: VariableRow): z.output<typeof variableOutput> {
  const { id, name, scope, scope_id, description, handle, placements, hosts } = row;
  const { description_by, is_description_unseen } = row;
  return {
    variable_id: id,
    name,
    scope,
    scope_id,
    description,
    description_by,
    is_description_unseen,
    handle,
    placements,
    hosts,
    set_by: row.set_by_label,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
