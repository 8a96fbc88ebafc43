// Orders a recipe with everything that it needs: dependencies and parts first.
import { AppError } from '#kernel/errors';
import { limits } from '../limits.ts';
import type { RecipeDependency } from '../manifest/fields.ts';
import { compareVersions } from '../manifest/versions.ts';
import type { CodexRecipe } from './codex-recipe.ts';

/** A recipe in the order of installing. */
export type RecipeNode = {
  codex: CodexRecipe;
  /** The slugs from the target to this recipe. */
  chain: string[];
  /** The bundle that it is a part of. */
  bundle: string | null;
};

/** A recipe that cannot be installed because of another one. */
export type DependencyProblem = {
  kind: 'missing' | 'too_old' | 'circular' | 'too_deep';
  slug: string;
  min_version: string | null;
  reason: string | null;
  /** The newest version in the codex; null: there is none. */
  latest_version: string | null;
  chain: string[];
};

export type Resolution = { nodes: RecipeNode[]; problems: DependencyProblem[] };

/** A recipe that another one names. */
export type NeededRecipe = RecipeDependency & { bundle: string | null };
type FindRecipe = (slug: string) => Promise<CodexRecipe | undefined>;
/** Beyond these nothing more is looked up. */
const mostProblems = 100;

type Walk = Resolution & { find: FindRecipe; done: Set<string> };

/** The recipes that installing one takes, the target last, and the problems. */
export async function resolveDependencies(find: FindRecipe, target: CodexRecipe): Promise<Resolution> {
  const walk: Walk = { find: findOnce(find), done: new Set(), nodes: [], problems: [] };
  await visit(walk, target, { chain: [target.recipe.slug], bundle: null });
  return { nodes: walk.nodes, problems: walk.problems };
}

/** Looks each slug up once, however many recipes name it. */
function findOnce(find: FindRecipe): FindRecipe {
  const known = new Map<string, ReturnType<FindRecipe>>();
  return (slug) => {
    const found = known.get(slug) ?? find(slug);
    known.set(slug, found);
    return found;
  };
}

/** The recipes that one names: what it depends on, then its parts. */
export function listNeeded({ recipe }: CodexRecipe): NeededRecipe[] {
  const parts = recipe.kind === 'bundle' ? recipe.parts : [];
  return [
    ...recipe.depends.map((each) => ({ ...each, bundle: null })),
    ...parts.map((each) => ({ ...each, bundle: recipe.slug })),
  ];
}

async function visit(walk: Walk, codex: CodexRecipe, place: Omit<RecipeNode, 'codex'>): Promise<void> {
  for (const needed of listNeeded(codex)) {
    if (walk.problems.length >= mostProblems) break;
    const chain = [...place.chain, needed.slug];
    const next = await walk.find(needed.slug);
    const kind = findProblem(needed, next, place.chain, walk);
    if (kind) walk.problems.push(describeProblem(kind, needed, next, chain));
    if (next && !kind && !walk.done.has(needed.slug)) await visit(walk, next, { chain, bundle: needed.bundle });
  }
  walk.done.add(codex.recipe.slug);
  walk.nodes.push({ codex, ...place });
}

function findProblem(
  { slug, min_version }: NeededRecipe,
  next: CodexRecipe | undefined,
  chain: readonly string[],
  { nodes }: Walk,
): DependencyProblem['kind'] | null {
  if (chain.includes(slug)) return 'circular';
  if (chain.length >= limits.levels || nodes.length >= limits.recipesPerInstall) return 'too_deep';
  if (!next) return 'missing';
  return isBelow(next.version, min_version) ? 'too_old' : null;
}

/** Whether a version is below a minimum. */
export function isBelow(version: string, minimum: string | undefined): boolean {
  return minimum !== undefined && compareVersions(version, minimum) < 0;
}

function describeProblem(
  kind: DependencyProblem['kind'],
  {
    slug,
    min_version = null,
    reason = null,
  }: { slug: string; min_version?: string | null | undefined; reason?: string | null | undefined },
  found: CodexRecipe | undefined,
  chain: string[],
): DependencyProblem {
  return { kind, slug, min_version, reason, latest_version: found?.version ?? null, chain };
}

const explain: Record<DependencyProblem['kind'], (problem: DependencyProblem) => string> = {
  missing: ({ slug }) => `The codex has no recipe ${slug}. Publish it, or ask its publisher.`,
  too_old: ({ slug, min_version, latest_version }) =>
    `${slug} is needed from version ${min_version}, and the codex has ${latest_version}.`,
  circular: ({ slug }) => `${slug} needs itself.`,
  too_deep: () =>
    `Recipes may need each other over ${limits.levels} levels, and ${limits.recipesPerInstall} recipes in one install.`,
};

/** Throws for the first problem: `invalid_input` for recipes that are nested too deeply, else `conflict`, with the chain. */
export function checkResolved({ problems }: Pick<Resolution, 'problems'>): void {
  const [problem] = problems;
  if (!problem) return;
  const { kind, chain } = problem;
  const message = `${explain[kind](problem)} The chain: ${chain.join(' → ')}.`;
  throw new AppError(kind === 'too_deep' ? 'invalid_input' : 'conflict', message, { chain, problem: kind });
}
