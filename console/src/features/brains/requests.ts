import type { Input, Output } from '#sdk';
import { call } from '../../api/call.ts';

export type NewBrain = Input<'create_brain'>;

export function createBrain(brain: NewBrain): Promise<Output<'create_brain'>> {
  return call('create_brain', brain);
}

export type BrainChange = Input<'update_brain'>;

export function updateBrain(change: BrainChange): Promise<Output<'update_brain'>> {
  return call('update_brain', change);
}

export function deleteBrain(input: { brain_id: string; confirm: string }): Promise<Output<'delete_brain'>> {
  return call('delete_brain', input);
}
