import type { SourceScope } from '#providers/reading';

/** A scope of a Google API by its short name, such as `gmail.readonly`. */
export function createScope(name: string, why: string, capability: 'read' | 'act' = 'read'): SourceScope {
  return { scope: `https://www.googleapis.com/auth/${name}`, why, ...(capability === 'act' && { for: 'act' }) };
}
