// Mutations. A client may choose the UUID of a new item. A repeated id is refused.
import { createEntityMissingError, createForbiddenError, createInputError } from './errors.ts';
import { buildCommentNode, issueNode, getVisibleIssue, canSeeTeam } from './queries.ts';
import type { Context } from './queries.ts';
import { insertComment, insertIssue, moveIssue, listTeamStates } from './state.ts';
import type { Comment, Issue } from './state.ts';

type IssueInput = {
  id?: string;
  teamId?: string;
  title?: string;
  description?: string;
  priority?: number;
  stateId?: string;
  assigneeId?: string;
  parentId?: string;
  dueDate?: string;
  estimate?: number;
  trashed?: boolean;
};

type CommentInput = { id?: string; issueId?: string; body?: string; parentId?: string };

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

function checkId(id: string | undefined, entity: string, known: ReadonlyMap<string, unknown>): void {
  if (id === undefined) return;
  if (!uuid.test(id)) throw createInputError('Argument Validation Error: id must be a UUID');
  if (known.has(id))
    throw createInputError(`Conflict on insert of ${entity}`, `${entity} with this id already exists.`);
}

function requireScope({ caller }: Context, ...any: string[]): void {
  const { scopes } = caller;
  if (!scopes.includes('admin') && !any.some((scope) => scopes.includes(scope)))
    throw createForbiddenError(any[0] ?? 'write');
}

/** Checks what an issue refers to; a state has to be one of its team's. */
function checkReferences({ world }: Context, teamId: string, input: IssueInput): void {
  if (input.assigneeId && !world.data.users.has(input.assigneeId)) throw createEntityMissingError('User');
  if (input.parentId && !world.data.issues.has(input.parentId)) throw createEntityMissingError('Issue');
  if (input.stateId && !listTeamStates(world, teamId).some(({ id }) => id === input.stateId))
    throw createEntityMissingError('WorkflowState');
  if (input.priority !== undefined && (input.priority < 0 || input.priority > 4)) {
    throw createInputError('Argument Validation Error: priority must be between 0 and 4');
  }
}

function pickIssueFields({
  title,
  description,
  priority,
  assigneeId,
  parentId,
  dueDate,
  estimate,
}: IssueInput): Partial<Issue> {
  const given = { title, description, priority, assigneeId, parentId, dueDate, estimate };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

function createSyncId({ world }: Context): number {
  world.data.lastSyncId += 1;
  return world.data.lastSyncId;
}

const stamp = ({ world }: Context) => world.now().toISOString();

function createIssue(context: Context, input: IssueInput) {
  requireScope(context, 'write', 'issues:create');
  const { world, caller } = context;
  const team = world.data.teams.get(input.teamId ?? '');
  if (!canSeeTeam(context, team)) throw createEntityMissingError('Team');
  checkId(input.id, 'Issue', world.data.issues);
  if (!input.title?.trim())
    throw createInputError('Argument Validation Error: title is required', 'Title is required.');
  checkReferences(context, team.id, input);
  const at = stamp(context);
  const issue = insertIssue(
    world,
    {
      ...pickIssueFields(input),
      ...(input.id ? { id: input.id } : {}),
      title: input.title,
      teamId: team.id,
      creatorId: caller.user.id,
    },
    at,
  );
  if (input.stateId) moveIssue(world, issue, input.stateId, at);
  return { success: true, lastSyncId: createSyncId(context), issue: issueNode(context, issue) };
}

function updateIssue(context: Context, id: string, input: IssueInput) {
  requireScope(context, 'write');
  const issue = getVisibleIssue(context, id);
  const team = context.world.data.teams.get(input.teamId ?? issue.teamId);
  if (!canSeeTeam(context, team)) throw createEntityMissingError('Team');
  if (input.title !== undefined && !input.title?.trim())
    throw createInputError('Argument Validation Error: title must not be empty');
  checkReferences(context, team.id, input);
  const at = stamp(context);
  Object.assign(issue, pickIssueFields(input), { updatedAt: at });
  if (team.id !== issue.teamId) {
    team.lastNumber += 1;
    Object.assign(issue, {
      teamId: team.id,
      number: team.lastNumber,
      stateId: listTeamStates(context.world, team.id)[0]?.id,
    });
  }
  if (input.stateId) moveIssue(context.world, issue, input.stateId, at);
  if (input.trashed !== undefined)
    Object.assign(issue, { trashed: input.trashed, archivedAt: input.trashed ? at : null });
  return { success: true, lastSyncId: createSyncId(context), issue: issueNode(context, issue) };
}

function archive(context: Context, id: string, change: Partial<Issue>) {
  requireScope(context, 'write');
  const issue = getVisibleIssue(context, id);
  Object.assign(issue, change, { updatedAt: stamp(context) });
  return { success: true, lastSyncId: createSyncId(context), entity: issueNode(context, issue) };
}

function deleteIssue(context: Context, id: string, forGood: boolean) {
  if (!forGood) return archive(context, id, { archivedAt: stamp(context), trashed: true });
  if (!context.caller.user.admin) throw createInputError('Only admins can permanently delete issues');
  const issue = getVisibleIssue(context, id);
  context.world.data.issues.delete(issue.id);
  return { success: true, lastSyncId: createSyncId(context), entity: null };
}

function createComment(context: Context, input: CommentInput) {
  requireScope(context, 'write', 'comments:create');
  const { world, caller } = context;
  const issue = getVisibleIssue(context, input.issueId ?? '');
  checkId(input.id, 'Comment', world.data.comments);
  if (!input.body?.trim()) throw createInputError('Argument Validation Error: body is required');
  const parent = input.parentId ? world.data.comments.get(input.parentId) : undefined;
  if (input.parentId && parent?.issueId !== issue.id) throw createEntityMissingError('Comment');
  const { id, body, parentId } = input;
  const comment = insertComment(
    world,
    { ...(id ? { id } : {}), issueId: issue.id, userId: caller.user.id, body, parentId: parentId ?? null },
    stamp(context),
  );
  return { success: true, lastSyncId: createSyncId(context), comment: buildCommentNode(context, comment) };
}

function getOwnComment(context: Context, id: string): Comment {
  requireScope(context, 'write');
  const comment = context.world.data.comments.get(id);
  if (!comment) throw createEntityMissingError('Comment');
  if (comment.userId !== context.caller.user.id) throw createInputError('You can only change your own comments');
  return comment;
}

function updateComment(context: Context, id: string, { body }: CommentInput) {
  const comment = getOwnComment(context, id);
  const at = stamp(context);
  Object.assign(comment, { body: body ?? comment.body, updatedAt: at, editedAt: at });
  return { success: true, lastSyncId: createSyncId(context), comment: buildCommentNode(context, comment) };
}

function deleteComment(context: Context, id: string) {
  getOwnComment(context, id);
  context.world.data.comments.delete(id);
  return { success: true, lastSyncId: createSyncId(context), entityId: id };
}

/** The fields of Mutation. */
export function createMutationRoot(context: Context) {
  return {
    issueCreate: ({ input }: { input: IssueInput }) => createIssue(context, input),
    issueUpdate: ({ id, input }: { id: string; input: IssueInput }) => updateIssue(context, id, input),
    issueArchive: ({ id, trash }: { id: string; trash?: boolean }) =>
      archive(context, id, { archivedAt: stamp(context), trashed: trash ?? false }),
    issueUnarchive: ({ id }: { id: string }) => archive(context, id, { archivedAt: null, trashed: false }),
    issueDelete: ({ id, permanentlyDelete }: { id: string; permanentlyDelete?: boolean }) =>
      deleteIssue(context, id, permanentlyDelete ?? false),
    commentCreate: ({ input }: { input: CommentInput }) => createComment(context, input),
    commentUpdate: ({ id, input }: { id: string; input: CommentInput }) => updateComment(context, id, input),
    commentDelete: ({ id }: { id: string }) => deleteComment(context, id),
  };
}
