// The tiers of variables.

export const tiers = ['org', 'brain', 'agent', 'permission_set', 'person'] as const;
export type Tier = (typeof tiers)[number];

/** The holder of a variable: a tier, and an item of that kind. For `org` that is the workspace. */
export type VariableTier = { scope: Tier; scopeId: string };
