import { queryOptions } from '@tanstack/react-query';
import type { Input, Output } from '#sdk';
import { call } from '../../api/call.ts';

export type TrainingStatus = Output<'training_status'>;
export type Dataset = keyof TrainingStatus['pairs'];
export type Platform = Input<'training_export'>['platform'];
export type Mask = NonNullable<Input<'training_export'>['mask']>;

export function buildTrainingQuery(brainId: string) {
  return queryOptions({
    queryKey: ['memory', 'training', brainId],
    queryFn: ({ signal }) => call('training_status', { brain_id: brainId }, { signal }),
  });
}

/** Where the file of a dataset is downloaded. */
export function downloadAddress(dataset: Dataset | 'all', asked: { brainId: string; platform: Platform; mask: Mask }) {
  const { brainId, platform, mask } = asked;
  return `/v1/training/download/${dataset}?${new URLSearchParams({ platform, mask, brain_ids: brainId })}`;
}
