import type { Install, RecipeSummary } from './requests.ts';

type InstalledRecipe = Pick<Install, 'install_id' | 'slug' | 'version' | 'bundle_id'>;
type LatestVersion = Pick<RecipeSummary, 'slug' | 'version'>;

/**
 * The installs with an update, by id, each with the version that the codex has; null: only parts of the bundle have one. A
 * part of a bundle moves with its bundle.
 */
export function findUpdates(
  installs: readonly InstalledRecipe[],
  recipes: readonly LatestVersion[],
): ReadonlyMap<string, string | null> {
  const latest = new Map(recipes.map(({ slug, version }) => [slug, version]));
  const findUpdate = ({ slug, version }: InstalledRecipe) => {
    const newest = latest.get(slug);
    return newest !== undefined && isBefore(version, newest) ? newest : null;
  };
  const outdatedBundles = new Set(installs.filter(findUpdate).map(({ bundle_id }) => bundle_id));
  const standalone = installs.filter(({ bundle_id }) => bundle_id === null);
  return new Map(
    standalone
      .map((install) => [install.install_id, findUpdate(install)] as const)
      .filter(([id, newest]) => newest !== null || outdatedBundles.has(id)),
  );
}

function isBefore(one: string, other: string): boolean {
  const others = other.split('.').map(Number);
  const differences = one.split('.').map((part, at) => Number(part) - (others[at] ?? 0));
  return (differences.find((difference) => difference !== 0) ?? 0) < 0;
}
