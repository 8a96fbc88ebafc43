import type { Person } from './people-requests.ts';

export type Role = Person['role'];

export const roleWords: Record<Role, string> = { owner: 'Owner', admin: 'Admin', member: 'Member' };

/** The roles that can be given, with their rights. */
export const givenRoles = [
  { role: 'member', label: 'Member: uses the workspace and their own agents' },
  { role: 'admin', label: 'Admin: also manages people, rules and settings' },
] as const;
