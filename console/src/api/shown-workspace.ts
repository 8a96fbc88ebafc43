let shown: string | null = null;

/** Notes the workspace that this page shows. A page shows one: switching loads the page anew. */
export function showWorkspace(id: string): void {
  shown ??= id;
}

/** Another person, or the same in another workspace, goes on in this page. */
export function forgetShownWorkspace(): void {
  shown = null;
}

/** A header for calls: they are refused when another tab has switched to another workspace meanwhile. */
export function getShownWorkspaceHeader(): Record<string, string> {
  return shown === null ? {} : { 'thalamus-workspace': shown };
}
