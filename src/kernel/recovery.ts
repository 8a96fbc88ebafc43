// How long what was uninstalled can be recovered, and the name it gets when its own was taken meanwhile.
import { AppError } from './errors.ts';

const recoveryMs = 7 * 24 * 60 * 60 * 1_000;

/** Until when something that was uninstalled can be recovered. */
export function getRecoveryEnd(uninstalledAt: Date): Date {
  return new Date(uninstalledAt.getTime() + recoveryMs);
}

/** What was uninstalled before this time can no longer be recovered. */
export function getRecoveryLimit(at: Date): Date {
  return new Date(at.getTime() - recoveryMs);
}

const mostNumbers = 1_000;
const longestNumber = ' (1000)'.length;

/** A name with a number: of a second thing that would have the same. `longest` is the length that a name may have. */
export function formatNumberedName(name: string, number: number, longest: number): string {
  return `${name.slice(0, longest - longestNumber).trimEnd()} (${number})`;
}

/** The name, or the name with the first number that is free. `longest` is the length that a name may have. */
export function chooseFreeName(name: string, takenNames: readonly string[], longest: number): string {
  const taken = new Set(takenNames.map((each) => each.toLowerCase()));
  if (!taken.has(name.toLowerCase())) return name;
  for (let number = 2; number <= mostNumbers; number += 1) {
    const numbered = formatNumberedName(name, number, longest);
    if (!taken.has(numbered.toLowerCase())) return numbered;
  }
  throw new AppError('conflict', `${mostNumbers} others are called ${name}. Rename some of them.`);
}
