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

export const deliveryText: Record<Delivery['status'], string> = {
  waiting: 'Waiting',
  delivered: 'Delivered',
  failed: 'Failed',
};

export const deliveryTone: Record<Delivery['status'], Tone> = { waiting: 'wait', delivered: 'go', failed: 'stop' };
