// An action that a recipe declares: a described write, and where it is sent.
import type { Action } from '#kernel/action';
import { accountProviders, sources } from '#providers';
import { defineDescribedAction, describedWrite, type DescribedWrite } from '#providers/described';
import { endpointSchema } from '#providers/http';
import { z } from 'zod';

const name = z.string().max(60);
const text = z.string().max(20_000);

/** The headers may name secrets as `{{publisher.NAME}}`. What is `unknown` here is checked by `describedWrite` below. */
export const recipeAction = z
  .strictObject({
    name,
    summary: z.string().max(300),
    risk: describedWrite.shape.risk,
    fields: z
      .record(name, z.unknown())
      .describe('By name: {kind: line | text | number | flag | choice | …, label, …}.'),
    example: z.record(name, z.unknown()),
    editable: z.array(name).max(50).describe('Fields that a person may change before approval.'),
    title: text,
    target: text,
    endpoint: z
      .record(name, z.unknown())
      .describe('{method, path, headers?, queryParams?, body?, form?}, with {{input.<field>}}.'),
    result: z.record(name, text).optional(),
    check: z.unknown().optional(),
    base_url: z
      .url({ protocol: /^https$/ })
      .max(500)
      .describe('The address that the path of the endpoint follows, such as https://api.example.com/v1.'),
    headers: endpointSchema.shape.headers,
    account: z
      .string()
      .min(1)
      .max(60)
      .optional()
      .describe(
        'The source of the linked account it is sent through, such as github. Absent: it is sent with `headers`.',
      ),
  })
  .superRefine((action, check) => {
    const message = findActionError(action);
    if (message !== null) check.addIssue({ code: 'custom', message });
  });
export type RecipeAction = z.output<typeof recipeAction>;

/** The write of an action, sent with headers in which handles replace the names of secrets. */
export function defineDeclaredWrite({ base_url, headers, account: _account, ...write }: RecipeAction): Action {
  const api = { baseUrl: base_url.replace(/\/$/, ''), ...(headers && { headers }) };
  return defineDescribedAction({ source: 'recipes', api }, write as unknown as DescribedWrite); // it is parsed there
}

/** What is wrong with an action; null: nothing. A credential of an account goes only to the hosts of its provider. */
function findActionError(action: RecipeAction): string | null {
  try {
    const { payload } = defineDeclaredWrite({ ...action, headers: {} });
    const example = payload.safeParse(action.example);
    if (!example.success) return 'example: does not fit the fields';
  } catch (error) {
    if (error instanceof z.ZodError) {
      const [issue] = error.issues;
      return `${issue?.path.join('.')}: ${issue?.message}`;
    }
    return error instanceof Error ? error.message : String(error);
  }
  if (action.account === undefined) return null;
  const provider = sources.find(({ name }) => name === action.account)?.provider;
  const domains = accountProviders.find(({ name }) => name === provider)?.apiDomains ?? [];
  const { hostname } = new URL(action.base_url);
  if (domains.some((domain) => hostname === domain || hostname.endsWith(`.${domain}`))) return null;
  return `base_url: ${action.account} is not at ${hostname}. It is at: ${domains.join(', ') || 'none'}`;
}
