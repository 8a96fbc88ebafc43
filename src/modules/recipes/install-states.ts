// The states of an install, and the only function that goes from one to another.
import { AppError } from '#kernel/errors';

export const installStates = ['needs_setup', 'active', 'paused', 'failing', 'uninstalled'] as const;
export type InstallState = (typeof installStates)[number];

/** Which state may follow which. A recovered install is paused. */
const nextStates = {
  needs_setup: ['active', 'paused', 'uninstalled'],
  active: ['paused', 'failing', 'needs_setup', 'uninstalled'],
  paused: ['active', 'needs_setup', 'uninstalled'],
  failing: ['active', 'paused', 'needs_setup', 'uninstalled'],
  uninstalled: ['paused'],
} as const satisfies Record<InstallState, readonly InstallState[]>;

/** Returns the next state. The present state may follow itself, so that a repeated call has the same answer. */
export function moveInstallState(from: InstallState, to: InstallState): InstallState {
  const allowed: readonly InstallState[] = nextStates[from];
  if (from === to || allowed.includes(to)) return to;
  throw new AppError('conflict', `An install that is ${from} cannot become ${to}.`);
}
