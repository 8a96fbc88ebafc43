// The templates of each kind: the fields of the operations that make the same by hand.
import { automationInput } from '#modules/automations';
import { boardInput } from '#modules/boards';
import { workflowInput } from '#modules/workflows';
import { z } from 'zod';

/** The fields of `create_board`. */
export const boardTemplate = boardInput.omit({ brain_id: true });
export type BoardTemplate = z.input<typeof boardTemplate>;

const hosts = automationInput.shape.acknowledged_http_fetch_hosts;

/** The fields of `save_automation_draft`. */
export const automationTemplate = automationInput.extend({
  name: automationInput.shape.name.optional().describe('Absent: the name of the recipe.'),
  hosts: hosts.describe('Hosts that http_fetch may reach; another name of acknowledged_http_fetch_hosts.'),
});
export type AutomationTemplate = z.input<typeof automationTemplate>;

/** The fields of `create_workflow`. */
export const workflowTemplate = workflowInput.omit({ brain_id: true });
export type WorkflowTemplate = z.input<typeof workflowTemplate>;
