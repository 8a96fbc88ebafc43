// What an entity says, in the form in which versions are compared: one row for each kind.
import type { Context } from '#kernel/context';
import type { Db } from '#kernel/database';
import {
  applyAutomationDesign,
  buildAutomationDesign,
  readAutomationDesign,
  type AutomationDesign,
  type AutomationInput,
  type SaveDeps,
} from '#modules/automations';
import {
  applyBoardDesign,
  buildBoardDesign,
  readBoardDesign,
  type BoardDesign,
  type BoardInput,
} from '#modules/boards';
import {
  applyWorkflowDesign,
  buildWorkflowDesign,
  readWorkflowDesign,
  type WorkflowDesign,
  type WorkflowInput,
} from '#modules/workflows';
import type { OwnerName } from '../uninstalls/entity-owners.ts';
import type { MergeRule } from './merge-template.ts';

const getName = (element: unknown) =>
  typeof element === 'string' ? element : String((element as { name?: unknown }).name);
const getTool = (element: unknown) => String((element as { tool?: unknown }).tool);

const namedWholes: MergeRule = { by: 'name', getName, element: 'whole' };
const namedParts: MergeRule = { by: 'name', getName, element: { by: 'field' } };
const automationRule: MergeRule = {
  by: 'field',
  of: {
    tool_grants: { by: 'name', getName: getTool, element: 'whole' },
    hosts: { by: 'name', getName: String, element: 'whole' },
    settings: { by: 'field' },
  },
};

export type DesignRequest<Design> = {
  design: Design;
  input: unknown;
  /** Whether a person saw the difference on a human surface. */
  isSeen: boolean;
  /** Changes of automations that wait since an earlier upgrade. */
  changeIds: readonly string[];
};

/** The outcome of a design: changes that wait for a person, and columns that keep their type because of a row. */
export type AppliedDesign = { changeIds: string[]; misfits: { dataset: string; column: string; row: string }[] };

type DesignKind<Design, Input> = {
  rule: MergeRule;
  build(input: Input, deps: SaveDeps, at: Date): Design;
  read(db: Db, entityId: string, changeIds: readonly string[]): Promise<Design>;
  apply(ctx: Context, entityId: string, request: DesignRequest<Design>, deps: SaveDeps): Promise<AppliedDesign>;
};

const board: DesignKind<BoardDesign, BoardInput> = {
  rule: {
    by: 'field',
    of: {
      datasets: { by: 'field', rest: { by: 'field', of: { columns: namedWholes } } },
      skills: namedWholes,
      dashboard: { by: 'field' },
    },
  },
  build: (input) => buildBoardDesign(input),
  read: (db, id) => readBoardDesign(db, id),
  async apply(ctx, id, { design, input }) {
    const { datasets = {} } = input as BoardInput; // of `build`
    const rows = Object.fromEntries(Object.entries(datasets).map(([name, dataset]) => [name, dataset.rows]));
    const { misfits } = await applyBoardDesign(ctx, id, { design, rows });
    return { changeIds: [], misfits };
  },
};

const automation: DesignKind<AutomationDesign, AutomationInput> = {
  rule: automationRule,
  build: (input, { find }) => buildAutomationDesign(input, find),
  read: (db, id, changeIds) => readAutomationDesign(db, id, { changeIds }),
  async apply(ctx, id, { design, isSeen, changeIds }, deps) {
    const waiting = await applyAutomationDesign(ctx, id, { design, isSeen, changeIds }, deps);
    return { changeIds: waiting === null ? [] : [waiting], misfits: [] };
  },
};

const workflow: DesignKind<WorkflowDesign, WorkflowInput> = {
  rule: {
    by: 'field',
    of: { kpis: namedParts, deadlines: namedParts, automations: { by: 'name', getName, element: automationRule } },
  },
  build: (input, deps, at) => buildWorkflowDesign(input, deps, at),
  read: (db, id, changeIds) => readWorkflowDesign(db, id, { changeIds }),
  async apply(ctx, id, { design, isSeen, changeIds }, deps) {
    return { changeIds: await applyWorkflowDesign(ctx, id, { design, isSeen, changeIds }, deps), misfits: [] };
  },
};

/** Designs of any kind: each row gets only what it made itself. */
export type AnyDesign = Record<string, unknown>;
export type AnyDesignKind = DesignKind<AnyDesign, unknown>;

export const designKinds = { board, automation, workflow } as unknown as Readonly<Record<OwnerName, AnyDesignKind>>; // as `AnyDesign` says
