import type { Delivery, Destination } from './requests.ts';

type Tone = 'plain' | 'go' | 'wait' | 'stop';

export const statusText: Record<Destination['status'], string> = {
  active: 'Active',
  paused: 'Paused',
  gone: 'Gone',
  deleted: 'Deleted',
};

export const statusTone: Record<Destination['status'], Tone> = {
  active: 'go',
  paused: 'wait',
  gone: 'stop',
  deleted: 'stop',
};

/** States of deliveries, by the kind of their destination. */
export const deliveryText: Record<Destination['output_destination_kind'], Record<Delivery['status'], string>> = {
  webhook: { waiting: 'Waiting', delivered: 'Delivered', failed: 'Failed' },
  feed: { waiting: 'Unread', delivered: 'Read', failed: 'Dropped' },
};

export const deliveryTone: Record<Delivery['status'], Tone> = { waiting: 'wait', delivered: 'go', failed: 'stop' };
