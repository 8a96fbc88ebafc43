import { itemId } from '#kernel/ids';
import { defineResource } from '#kernel/resource';
import { locateWorkflows } from './store/workflows.ts';

export const workflowId = itemId('workflow').describe('Id of a workflow, from `list_workflows`.');

/** Readers of its brain see a workflow. */
export const workflowResource = defineResource({ kind: 'workflow', noun: 'workflow', locate: locateWorkflows });
