import type { Source } from '../../sources/source.ts';

/** What every integration tells of itself. */
export type Listed = Pick<Source, 'name' | 'label' | 'description' | 'provider' | 'scopes' | 'linkedBy' | 'supports'>;

/** Telegram is texted, and neither read from nor acted on here: `modules/telegram` listens to it. */
export const telegram: Listed = {
  name: 'telegram',
  label: 'Telegram',
  description: 'Text your brain from your phone, through a bot of your own.',
  provider: 'telegram',
  scopes: [],
  supports: { fetch: false, act: false, adapter: false },
};
