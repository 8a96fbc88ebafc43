// The states of an install.
export const installStates = ['needs_setup', 'active', 'paused', 'failing', 'uninstalled'] as const;
export type InstallState = (typeof installStates)[number];
