import type { countPairs } from './store.ts';

/** Fewer pairs teach a model nothing lasting. */
const fewestPairs = 10;
const leastOrganic = 0.5;

type Counts = Awaited<ReturnType<typeof countPairs>>;

/** Says how many memories the datasets leave out, and what to do. */
function formatLeftOutWarning(inConflict: number): string {
  return `${inConflict} memories are left out, because they contradict each other. See list_contradictions: archive the outdated one of each pair, or dismiss the pair.`;
}

/** Which training is possible with these numbers, and which problems there are. */
export function computeReadiness(counts: Counts) {
  const { memories, in_conflict, superseded, behavioral, evolved, imported_sft, imported_dpo } = counts;
  const pairs = {
    domain_sft: memories,
    behavioral_sft: behavioral,
    dpo: evolved,
    embedding_triplets: memories > 1 ? memories : 0,
    imported_sft,
    imported_dpo,
  };
  const organic = memories + behavioral + evolved;
  const imported = imported_sft + imported_dpo;
  const all = organic + imported;
  const self_sufficiency = all ? Math.round((100 * organic) / all) / 100 : 0;
  const warnings: string[] = [];
  if (all < fewestPairs)
    warnings.push(`${all} pairs are too few for meaningful fine-tuning. Collect at least ${fewestPairs}.`);
  if (evolved < fewestPairs)
    warnings.push(
      `${evolved} preference pairs: DPO needs at least ${fewestPairs} memories that were superseded by others.`,
    );
  if (in_conflict) warnings.push(formatLeftOutWarning(in_conflict));
  if (imported && self_sufficiency < leastOrganic)
    warnings.push('Most pairs were imported. The model will learn more from them than from this brain.');
  return {
    memories: { used: memories, superseded, in_conflict },
    pairs,
    self_sufficiency,
    is_ready: all >= fewestPairs,
    warnings,
  };
}
