import type { Kysely } from 'kysely';
import type { Deadline, Kpi, RosterEntry } from '../parts.ts';
import type { WorkflowState } from '../workflow-states.ts';

export type WorkflowRow = {
  id: string;
  workspace_id: string;
  brain_id: string;
  person_id: string;
  title: string;
  charter: string;
  roster: RosterEntry[];
  kpis: Kpi[];
  deadlines: Deadline[];
  state: WorkflowState;
  version: number;
  closed_at: Date | null;
  /** The earliest open deadline that is not yet an event. */
  next_deadline_at: Date | null;
  created_by: string;
  created_at: Date;
  updated_at: Date;
};
export type Tables = {
  workflows: WorkflowRow;
  people_directory: { id: string; name: string };
  key_directory: { id: string; label: string };
};
export type Db = Kysely<Tables>;
