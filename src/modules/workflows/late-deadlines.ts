// Passed deadlines, and the people who are notified of them.
import type { Db } from '#kernel/database';
import { findPerson } from '#modules/accounts';
import { canPersonReadBrain } from '#modules/brains';
import { computeDeadlineEnd } from './deadline-ends.ts';
import { findWorkflow } from './store/workflows.ts';
import type { WorkflowRow } from './store/tables.ts';

type DeadlineKey = { workflow_id: string; name: string; due: string };

/** A deadline that passed and is still open, with the title of its workflow. */
export type LateDeadline = DeadlineKey & { title: string };

/** The owner of a workflow and the people of its team who may read it. Empty: there is no such workflow. */
export async function listDeadlinePeople(db: Db, workflowId: string): Promise<string[]> {
  const workflow = await findWorkflow(db, workflowId);
  if (!workflow) return [];
  const team = workflow.roster.filter(({ kind }) => kind === 'person').map(({ id }) => id);
  const readers: string[] = [];
  for (const id of new Set([workflow.person_id, ...team])) if (await mayRead(db, id, workflow)) readers.push(id);
  return readers;
}

/** What is still late of some deadlines, for a person. Left out is what is done, moved, paused, or not theirs to read. */
export async function listLateDeadlines(
  db: Db,
  personId: string,
  keys: readonly DeadlineKey[],
  at: Date,
): Promise<LateDeadline[]> {
  const late: LateDeadline[] = [];
  for (const key of keys) {
    const workflow = await findWorkflow(db, key.workflow_id);
    if (workflow?.state !== 'active' || !isLate(workflow, key, at)) continue;
    if (await mayRead(db, personId, workflow)) late.push({ ...key, title: workflow.title });
  }
  return late;
}

function isLate({ deadlines }: WorkflowRow, { name, due }: DeadlineKey, at: Date): boolean {
  const found = deadlines.find((deadline) => deadline.name === name && deadline.due === due);
  return found !== undefined && !found.is_done && computeDeadlineEnd(found) <= at.getTime();
}

async function mayRead(db: Db, personId: string, { brain_id }: WorkflowRow): Promise<boolean> {
  const person = await findPerson(db, personId);
  return person !== undefined && canPersonReadBrain(db, { id: personId, role: person.role }, brain_id);
}
