import { itemId } from '#kernel/ids';
import { defineResource } from '#kernel/resource';
import { locateAutomations } from './store/automations.ts';
import { locateChanges } from './store/changes.ts';
import { locateRuns } from './store/runs.ts';

export const automationId = itemId('automation').describe('Id of an automation, from `list_automations`.');
export const changeId = itemId('automation_change').describe('Id of a pending change, from `get_automation`.');
export const runId = itemId('automation_run').describe('Id of a run, from `list_automation_runs`.');

/**
 * Its owner and administrators of the workspace see an automation. A brain-scoped key sees those that write to its
 * brain.
 */
export const automationResource = defineResource({ kind: 'automation', noun: 'automation', locate: locateAutomations });

export const runResource = defineResource({ kind: 'automation_run', noun: 'run', locate: locateRuns });

export const changeResource = defineResource({ kind: 'automation_change', noun: 'change', locate: locateChanges });
