// Compares what a recipe needs with what a brain has.
import type { CodexRecipe } from '../codex/codex-recipe.ts';
import { findCodexRecipe } from '../codex/find-recipe.ts';
import {
  isBelow,
  listNeeded,
  resolveDependencies,
  type DependencyProblem,
  type NeededRecipe,
  type Resolution,
} from '../codex/resolve-dependencies.ts';
import { listInstallsOfSlugs } from '../store/installs.ts';
import type { Db, RecipeInstallRow } from '../store/tables.ts';

type DependencyRow = { slug: string; min_version: string | null; reason?: string };
type DependencyReport = {
  declared: DependencyRow[];
  satisfied: (DependencyRow & { install_id: string; version: string })[];
  missing: (DependencyRow & {
    available: { has_recipe: boolean; latest_version: string | null };
    problem: DependencyProblem['kind'] | null;
  })[];
  chain: string[][];
};

/** What a recipe names itself, and of everything that it takes what the brain has and what it has not. */
export async function compareDependencies(db: Db, target: CodexRecipe, brainId: string): Promise<DependencyReport> {
  const resolution = await resolveDependencies((slug) => findCodexRecipe(db, { slug }), target);
  const { nodes, problems } = resolution;
  const needed = new Map(nodes.flatMap(({ codex }) => listNeeded(codex)).map((each) => [each.slug, each]));
  const installed = await listInstallsOfSlugs(db, brainId, [...needed.keys()]);
  const report: DependencyReport = {
    declared: listNeeded(target).map(toRow),
    satisfied: [],
    missing: [],
    chain: [...nodes, ...problems].map(({ chain }) => chain).filter(({ length }) => length > 1),
  };
  for (const each of needed.values()) {
    const present = installed.find(({ slug }) => slug === each.slug);
    if (present && !isBelow(present.version, each.min_version))
      report.satisfied.push({ ...toRow(each), install_id: present.id, version: present.version });
    else report.missing.push({ ...toRow(each), ...describeMissing(each, present, resolution) });
  }
  return report;
}

function toRow({ slug, min_version, reason }: NeededRecipe): DependencyRow {
  return { slug, min_version: min_version ?? null, ...(reason !== undefined && { reason }) };
}

function describeMissing(
  { slug }: NeededRecipe,
  present: RecipeInstallRow | undefined,
  { nodes, problems }: Resolution,
): Pick<DependencyReport['missing'][number], 'available' | 'problem'> {
  const found = nodes.find(({ codex }) => codex.recipe.slug === slug)?.codex;
  const problem = problems.find((each) => each.slug === slug);
  const latest = found?.version ?? problem?.latest_version ?? null;
  return {
    available: { has_recipe: latest !== null, latest_version: latest },
    problem: problem?.kind ?? (present ? 'too_old' : null),
  };
}
