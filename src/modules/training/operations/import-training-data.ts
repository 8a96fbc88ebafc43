import { defineOperation } from '#kernel/operation';
import { brainId, readBrainLanguage } from '#modules/brains';
import { storeDocument, type StoreDeps } from '#modules/documents';
import { z } from 'zod';
import { formatPairsText, readPairs } from '../import-lines.ts';
import { addPlaybook } from '../playbook.ts';
import { importedWeight } from '../pair.ts';
import { insertPairs } from '../store.ts';

const input = z.strictObject({
  title: z.string().trim().min(1).max(120),
  content: z.string().min(2).max(20_000_000).describe('JSON Lines: SFT or DPO in the shape of any platform.'),
  brain_id: brainId.optional(),
});

const output = z.object({
  document_id: z.uuid(),
  imported: z.object({ sft: z.number().int(), dpo: z.number().int() }),
  weight: z.number(),
  topics: z.array(z.string()),
  skill_id: z
    .uuid()
    .nullable()
    .describe('A short skill with the topics. Null: you may not write skills, or one has this name.'),
  is_new: z.boolean(),
});

const plainText = { filename: null, mimeType: 'text/plain' };

export function importTrainingData(keeping: StoreDeps) {
  return defineOperation({
    name: 'import_training_data',
    summary:
      'Import conversations or preferences as JSON Lines. They are stored as a document, and as pairs with the weight 0.1 in training.',
    toolset: 'documents',
    effect: 'write',
    access: { scope: 'memory:write', brain: { role: 'owner', of: 'brain_id' }, isForPeople: true },
    rest: [{ method: 'POST', path: '/v1/documents/import-training' }],
    input,
    output,
    errors: ['not_found', 'forbidden', 'invalid_input', 'payload_too_large', 'plan_limit', 'unavailable'],
    examples: [
      {
        title: 'A playbook',
        input: {
          title: 'Sales playbook',
          content:
            '{"messages":[{"role":"user","content":"Who signs offers?"},{"role":"assistant","content":"The regional lead."}]}',
        },
      },
    ],
    maxBodyBytes: 24_000_000,
    maxAtOnce: 2,
    async run(ctx, { title, content, brain_id }) {
      const brain = brain_id ?? ctx.caller.homeBrainId;
      return { brain, language: await readBrainLanguage(ctx.db, brain), title, pairs: readPairs(content) };
    },
    async afterCommit(ctx, { brain, language, title, pairs }) {
      const source = { bytes: Buffer.from(formatPairsText(pairs)) };
      const file = { brainId: brain, language, title, ...plainText, source, weight: importedWeight };
      const { document, isNew, labels } = await storeDocument(ctx, keeping, file);
      const { workspaceId } = ctx.caller;
      const skill_id = await ctx.transact(async (inside) => {
        const { db, now } = inside;
        await insertPairs(
          db,
          pairs.map((pair, position) => ({
            document_id: document.id,
            position,
            workspace_id: workspaceId,
            brain_id: brain,
            ...pair,
            created_at: now,
          })),
        );
        return isNew ? addPlaybook(inside, { title, topics: labels, documentId: document.id }) : null;
      });
      const dpo = pairs.filter(({ rejected }) => rejected !== null).length;
      const imported = { sft: pairs.length - dpo, dpo };
      return { document_id: document.id, imported, weight: importedWeight, topics: labels, skill_id, is_new: isNew };
    },
  });
}
