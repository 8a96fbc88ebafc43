// Compares the intent of a new automation with those that exist.
import { AppError } from '#kernel/errors';
import { computeCosine, type MeteredEmbedder } from '#platform/embeddings';

/** Uses the time limit of a search, because somebody waits for the answer. */
const patience = { attempts: 1, timeoutMs: 5_000, isUrgent: true };
const failed = 'The embedder did not answer, so the intents were not compared. Ask again later to compare them.';
const atCap = 'The daily cap on model costs is reached, so the intents were not compared. Ask again tomorrow.';

type IntentComparison = { similarities: number[] | null; notice?: string };

/**
 * The similarity of each purpose to an intent, in order. Null without an embedder or an intent, and with a notice when
 * the embedder fails.
 */
export async function compareIntents(
  embedder: MeteredEmbedder | null,
  intent: string | undefined,
  purposes: readonly string[],
): Promise<IntentComparison> {
  if (!embedder || !intent?.trim() || !purposes.length) return { similarities: null };
  try {
    const [sought, ...others] = await embedder.embed([intent, ...purposes], patience);
    if (!sought) throw new Error('an embedder gave no vector for a text');
    return { similarities: others.map((other) => Math.round(computeCosine(sought, other) * 1_000) / 1_000) };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const notice = error.code === 'plan_limit' ? atCap : failed;
    return { similarities: null, notice };
  }
}
