let shown: string | null = null;

/** Stores the workspace that this page shows. A page shows one: switching reloads the page. */
export function showWorkspace(id: string): void {
  shown ??= id;
}

/** Another person, or the same person in another workspace, continues on this page. */
export function forgetShownWorkspace(): void {
  shown = null;
}

/** A header for calls: the server refuses them when another tab has switched to another workspace. */
export function getShownWorkspaceHeader(): Record<string, string> {
  return shown === null ? {} : { 'thalamus-workspace': shown };
}
