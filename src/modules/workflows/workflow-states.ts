// The states of a workflow, and the only function that goes from one to another.
import { AppError } from '#kernel/errors';

export const workflowStates = ['active', 'paused', 'closed'] as const;
export type WorkflowState = (typeof workflowStates)[number];

/** Which state may follow which. */
const nextStates = {
  active: ['paused', 'closed'],
  paused: ['active', 'closed'],
  closed: [],
} as const satisfies Record<WorkflowState, readonly WorkflowState[]>;

/** Throws `conflict` for a workflow that was closed: nothing of it changes any more. */
export function checkIsOpen(state: WorkflowState): void {
  if (state === 'closed') throw new AppError('conflict', 'This workflow is closed. Create another one to go on.');
}

/** Returns the next state. The present state may follow itself, so that a repeated call has the same answer. */
export function moveToState(from: WorkflowState, to: WorkflowState): WorkflowState {
  const allowed: readonly WorkflowState[] = nextStates[from];
  if (from === to || allowed.includes(to)) return to;
  checkIsOpen(from);
  throw new AppError('conflict', `A workflow that is ${from} cannot become ${to}.`);
}
