// Versions of three numbers, such as 1.2.0, compared number by number.

/** Negative where `one` is before `other`, positive where it is after it. */
export function compareVersions(one: string, other: string): number {
  const others = other.split('.');
  const differences = one.split('.').map((part, at) => Number(part) - Number(others[at] ?? 0));
  return differences.find((difference) => difference !== 0) ?? 0;
}

/** The next patch of a version; 1.0.0 without one. */
export function getNextPatch(version: string | null): string {
  if (version === null) return '1.0.0';
  const [major, minor, patch] = version.split('.').map(Number);
  return `${major}.${minor}.${(patch ?? 0) + 1}`;
}
