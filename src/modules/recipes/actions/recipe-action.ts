// The one registered action behind which all actions of recipes are. Its payload has the declaration: what is shown, judged
// and hashed is what leaves.
import { defineAction, type Action } from '#kernel/action';
import { boundVariable, findOutdatedReason, hasAgentText, previewFields } from '#modules/variables';
import type { Reach } from '#providers/http';
import { z } from 'zod';
import { defineDeclaredWrite, recipeAction as declaredAction } from '../manifest/recipe-action.ts';

const payload = z.strictObject({
  install_id: z.uuid(),
  action: z.string().max(60),
  input: z.record(z.string().max(100), z.unknown()),
  /** The declaration of the recipe when it was drafted, with handles instead of names of secrets. */
  declared: declaredAction,
  variables: z.array(boundVariable).max(20),
});
export type RecipeActionPayload = z.output<typeof payload>;

/** Opens the way to the service of a payload: its account, or its secrets. */
export type RecipeReach = { open(payload: RecipeActionPayload): Promise<Reach> };

const example: z.input<typeof payload> = {
  install_id: '00000000-0000-7000-8000-000000000000',
  action: 'create_note',
  input: { title: 'Hello' },
  declared: {
    name: 'create_note',
    summary: 'Create a note.',
    risk: 'write',
    fields: { title: { kind: 'line', label: 'Title' } },
    example: { title: 'Hello' },
    editable: ['title'],
    title: 'Note: {{input.title}}',
    target: 'notes',
    endpoint: { method: 'POST', path: '/notes', body: { title: '{{input.title}}' } },
    base_url: 'https://api.example.com',
  },
  variables: [],
};

/** The action of a payload: with the fields, the risk and the texts of its declaration. */
function buildDeclaredAction(stored: Record<string, unknown>): Action {
  const { declared, variables } = stored as RecipeActionPayload; // parsed by the schema when it was drafted
  const write = defineDeclaredWrite(declared);
  const { host } = new URL(declared.base_url);
  return defineAction<typeof payload, RecipeReach>({
    ...shared,
    summary: declared.summary,
    risk: declared.risk,
    payload: payload.extend({ input: write.payload }) as never, // narrower than the schema of all of them
    editable: declared.editable as never, // fields of `input`: see applyEdits
    applyEdits: (before, edits) => ({ ...before, input: { ...(before['input'] as object), ...edits } }),
    preview({ input }) {
      const preview = write.preview(input);
      const { method, path } = declared.endpoint;
      const sent = { label: 'Sent to', text: `${String(method)} ${declared.base_url}${String(path)}` };
      const isHidden = hasAgentText(variables);
      return {
        ...preview,
        fields: [...preview.fields, sent, ...previewFields(variables)],
        isComplete: preview.isComplete && !isHidden,
        ...(isHidden && { isCompletedAtConsole: true }),
      };
    },
    target({ input }) {
      const target = write.target(input);
      return { ...target, what: `${host} ${declared.name} ${target.what}`.trim() };
    },
    prepare: async (reach, draft, attempt) => write.prepare(await reach.open(draft), draft.input, attempt),
    send: async (reach, draft, handle) => write.send(await reach.open(draft), draft.input, handle),
    lookup: async (reach, draft, handle, others) => write.lookup(await reach.open(draft), draft.input, handle, others),
  });
}

const shared = {
  name: 'recipe_action',
  source: 'recipes',
  summary: 'An action that an installed recipe declares.',
  risk: 'destructive',
  handle: 'none',
  requiresConfirmation: true,
  payload,
  example,
  editable: [],
  specialize: buildDeclaredAction,
  preview: (draft: RecipeActionPayload) => buildDeclaredAction(draft).preview(draft),
  target: (draft: RecipeActionPayload) => buildDeclaredAction(draft).target(draft),
  outdated: (db: Parameters<typeof findOutdatedReason>[0], { variables }: RecipeActionPayload) =>
    findOutdatedReason(db, variables),
  prepare: (reach: RecipeReach, draft: RecipeActionPayload, attempt: Parameters<Action['prepare']>[2]) =>
    buildDeclaredAction(draft).prepare(reach, draft, attempt),
  send: (reach: RecipeReach, draft: RecipeActionPayload, handle: Record<string, unknown>) =>
    buildDeclaredAction(draft).send(reach, draft, handle),
  lookup: (reach: RecipeReach, draft: RecipeActionPayload, handle: Record<string, unknown>) =>
    buildDeclaredAction(draft).lookup(reach, draft, handle),
} as const;

export const recipeAction = defineAction<typeof payload, RecipeReach>(shared);
