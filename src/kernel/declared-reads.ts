// Endpoints at which a POST only reads: a line `reads` of a grant, which counts once a person accepted it.
import { z } from 'zod';

export const declaredReadSchema = z.strictObject({
  method: z.literal('POST', 'must be POST: no other method can be declared as a read'),
  url: z.string().max(2_000).describe('The exact address, as it leaves.'),
  graphql: z.string().min(1).max(20_000).optional().describe('The only GraphQL text that may be sent there.'),
});
/** One exact endpoint. With `graphql` only that text may be asked there, with any variables. */
export type DeclaredRead = z.output<typeof declaredReadSchema>;

type GrantParams = { tool: string; params?: Record<string, unknown> | undefined };

/** Whether this is the parameter of a grant that widens it, where every other one narrows it. */
export function isReadsParam(tool: string, name: string): boolean {
  return tool === 'http_fetch' && name === 'reads';
}

/** The endpoints that a grant declares. Lines of another form count for nothing. */
export function listReads({ tool, params = {} }: GrantParams): DeclaredRead[] {
  return Object.entries(params).flatMap(([name, lines]) =>
    isReadsParam(tool, name) && Array.isArray(lines)
      ? lines.flatMap((line) => declaredReadSchema.safeParse(line).data ?? [])
      : [],
  );
}

/** The lines that both lists have. */
export function intersectReads(one: readonly DeclaredRead[], other: readonly DeclaredRead[]): DeclaredRead[] {
  return one.filter(({ url, graphql }) => other.some((each) => each.url === url && each.graphql === graphql));
}

/** The grant with those of its endpoints alone that are in a list. */
export function limitReads(grant: GrantParams, allowed: readonly DeclaredRead[]): GrantParams {
  const entries = Object.entries(grant.params ?? {});
  if (!entries.some(([name]) => isReadsParam(grant.tool, name))) return grant;
  const reads = intersectReads(listReads(grant), allowed);
  const narrowing = entries.filter(([name]) => !isReadsParam(grant.tool, name));
  return { ...grant, params: { ...Object.fromEntries(narrowing), ...(reads.length && { reads }) } };
}
