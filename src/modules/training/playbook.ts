import type { Context } from '#kernel/context';
import { AppError } from '#kernel/errors';
import { lockPlanLimits } from '#modules/accounts';
import { addSkill } from '#modules/brains';

const mostTopics = 20;

/**
 * Makes a short skill that says when to look into an import; null when the caller may not write skills, or the name is
 * taken.
 */
export async function addPlaybook(
  ctx: Context,
  { title, topics, documentId }: { title: string; topics: readonly string[]; documentId: string },
): Promise<string | null> {
  const { scopes, reach } = ctx.caller;
  if (reach !== 'owner' || !scopes.has('memory:write') || !scopes.has('knowledge:write')) return null;
  const about = topics.slice(0, mostTopics).map((topic) => `- ${topic}`);
  const content = [
    `How “${title}” answers`,
    '',
    'Look here first when the question is about:',
    '',
    ...about,
    '',
    'The answers are in the document source_document_id of this skill: see read_document.',
  ];
  try {
    const { id } = await addSkill(ctx, lockPlanLimits, {
      name: title,
      content: content.join('\n'),
      sourceDocumentId: documentId,
    });
    return id;
  } catch (error) {
    if (error instanceof AppError && (error.code === 'conflict' || error.code === 'plan_limit')) return null;
    throw error;
  }
}
