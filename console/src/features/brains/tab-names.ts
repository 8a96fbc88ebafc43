import { isAtLeast, type Brain } from '../../entities/brains.ts';

export const tabNames = ['overview', 'members', 'knowledge', 'skills', 'analytics', 'training', 'settings'] as const;
export type TabName = (typeof tabNames)[number];

/** Search parameters of a brain's page. */
export type BrainAddress = {
  tab?: TabName | undefined;
  days?: 7 | 30 | undefined;
  /** With the brains below it. */
  below?: true | undefined;
  /** The memory that is open beside it. */
  memory?: string | undefined;
};

/** The tabs a person has use for on a brain, with their headings. */
export function listBrainTabs(brain: Brain): { name: TabName; label: string }[] {
  const isAdmin = isAtLeast(brain.access_level, 'admin');
  return [
    { name: 'overview', label: 'Overview' },
    ...(brain.is_personal ? [] : [{ name: 'members' as const, label: 'Members' }]),
    { name: 'knowledge', label: 'Core knowledge' },
    { name: 'skills', label: 'Skills' },
    ...(isAdmin
      ? [
          { name: 'analytics' as const, label: 'Analytics' },
          ...(brain.access_level === 'owner' ? [{ name: 'training' as const, label: 'Training' }] : []),
          { name: 'settings' as const, label: 'Settings' },
        ]
      : []),
  ];
}
