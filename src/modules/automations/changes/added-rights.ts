// Finds the rights that a change adds to an automation.
import { isDeepStrictEqual } from 'node:util';
import { intersectReads, isReadsParam, listReads } from '#kernel/declared-reads';
import type { Grant } from '#kernel/grants';
import { z } from 'zod';
import type { AutomationRow } from '../store/tables.ts';
import type { Trigger } from '../triggers.ts';

/** The fields that limit what an automation may do. */
export type GrantedRights = Pick<
  AutomationRow,
  'tool_grants' | 'triggers' | 'write_policy' | 'cost_cap_daily_usd' | 'max_wall_seconds' | 'max_llm_tokens'
> & { hosts: readonly string[] };

const limitNames = ['cost_cap_daily_usd', 'max_wall_seconds', 'max_llm_tokens'] as const;

export const moreOutput = z.object({
  tool_grants: z
    .array(z.object({ tool: z.string(), params: z.record(z.string(), z.unknown()).optional() }))
    .describe('Grants that no present grant covers.'),
  hosts: z.array(z.string()),
  triggers: z.array(z.record(z.string(), z.unknown())),
  limits: z.array(z.object({ name: z.enum(limitNames), from: z.number(), to: z.number() })),
  confirms_by_itself: z.boolean().describe('It would confirm safe actions, which it does not do now.'),
});
export type AddedRights = z.output<typeof moreOutput>;

/** The rights that `after` has and `before` lacks. */
export function computeAddedRights(before: GrantedRights, after: GrantedRights): AddedRights {
  return {
    tool_grants: after.tool_grants.filter((grant) => !before.tool_grants.some((each) => isGrantCovered(each, grant))),
    hosts: after.hosts.filter((host) => !before.hosts.includes(host)),
    triggers: after.triggers.filter(
      (each: Trigger) => !before.triggers.some((other) => isDeepStrictEqual(each, other)),
    ),
    limits: limitNames
      .filter((name) => after[name] > before[name])
      .map((name) => ({ name, from: before[name], to: after[name] })),
    confirms_by_itself: after.write_policy === 'auto_confirm_safe' && before.write_policy !== 'auto_confirm_safe',
  };
}

/** Whether `wide` allows every call that `narrow` allows. */
function isGrantCovered(wide: Grant, narrow: Grant): boolean {
  if (wide.tool !== narrow.tool) return false;
  const reads = listReads(narrow);
  if (intersectReads(reads, listReads(wide)).length < reads.length) return false;
  return Object.entries(wide.params ?? {}).every(([name, wanted]) => {
    const given = narrow.params?.[name];
    if (isReadsParam(wide.tool, name)) return true;
    if (name.startsWith('max_') && typeof wanted === 'number') return typeof given === 'number' && given <= wanted;
    if (name === 'hosts' && Array.isArray(wanted))
      return Array.isArray(given) && given.every((host) => wanted.includes(host));
    return isDeepStrictEqual(given, wanted);
  });
}
