import { Blocks, Boxes, Table2, Target, Workflow, type LucideIcon } from 'lucide-react';
import { linkOptions } from '@tanstack/react-router';
import type { Install, RecipeKind } from './requests.ts';

/** What a kind of recipe is called, and its icon. */
export const kindWords: Record<RecipeKind, { label: string; plural: string; icon: LucideIcon }> = {
  integration: { label: 'Integration', plural: 'Integrations', icon: Blocks },
  board: { label: 'Board', plural: 'Boards', icon: Table2 },
  automation: { label: 'Automation', plural: 'Automations', icon: Workflow },
  workflow: { label: 'Workflow', plural: 'Workflows', icon: Target },
  bundle: { label: 'Bundle', plural: 'Bundles', icon: Boxes },
};

export const kinds = Object.keys(kindWords) as RecipeKind[]; // the table's own keys

/** What a state of an install is called, and its tone. */
export const stateWords: Record<Install['state'], { label: string; tone: 'go' | 'wait' | 'stop' | 'plain' }> = {
  needs_setup: { label: 'Needs setup', tone: 'wait' },
  active: { label: 'Active', tone: 'go' },
  paused: { label: 'Paused', tone: 'plain' },
  failing: { label: 'Failing', tone: 'stop' },
  uninstalled: { label: 'Uninstalled', tone: 'plain' },
};

/** Whether the server itself reads what an install says: an integration without code. */
export function isReading({ entity_id, entity_kind, install_id }: Install): boolean {
  return entity_kind === 'integration' && entity_id === install_id;
}

/** The page of what an install made. Bundles and integrations without code have none. */
export function findMadePage({ entity_id: id, entity_kind, install_id }: Install) {
  if (entity_kind === 'board') return linkOptions({ to: '/boards/$boardId', params: { boardId: id } });
  if (entity_kind === 'workflow') return linkOptions({ to: '/workflows/$workflowId', params: { workflowId: id } });
  if (entity_kind === 'automation' || (entity_kind === 'integration' && id !== install_id))
    return linkOptions({ to: '/automations/$automationId', params: { automationId: id } });
  return null;
}
