// How a transaction is bound: to the role that row level security applies to, to time limits, and to settings such as
// the workspace. They are set in the transaction itself. Connection options would suffice only for PostgreSQL itself,
// but a pooler refuses or drops them, and gives the next transaction another connection.

/** The role of all product work. It owns no table, so row level security binds it. */
export const appRole = 'thalamus_app';

/** A process that hangs, or a lost network, must not keep locks and connections forever. In milliseconds. */
const limits = { statement_timeout: 60_000, lock_timeout: 20_000, idle_in_transaction_session_timeout: 60_000 };

const fixed = Object.entries({ role: appRole, ...limits }).map(
  ([name, value]) => `set_config('${name}', '${value}', true)`,
);
const opening = `select ${fixed.join(', ')}`;

/** The settings that a transaction may be bound to. */
export type BindingSettings = Partial<
  Record<'thalamus.workspace_id' | 'thalamus.presented_hash' | 'thalamus.system', string>
>;

/** The statement after BEGIN that binds the transaction. */
export function buildBinding(settings: BindingSettings): { text: string; values: string[] } {
  const entries = Object.entries(settings);
  const more = entries.map(([name], index) => `, set_config('${name}', $${index + 1}, true)`);
  return { text: opening + more.join(''), values: entries.map(([, value]) => value) };
}

/** The same as text, for a message with several statements, which cannot have parameters. */
export function formatBinding(workspaceId: string, quote: (value: string) => string): string {
  return `${opening}, set_config('thalamus.workspace_id', ${quote(workspaceId)}, true)`;
}

/** Whether a message contains the binding statement. */
export function isBinding(text: string): boolean {
  return text.includes(opening);
}
