// Archives of brains as text, written by hand, so that a test can send any.
import { createHash } from 'node:crypto';
import type { ReachedServer } from './server.ts';

export const buildLine = (item: object, kind = 'memory', brain = 1) => ({ kind, brain, item });

/** An archive of one brain with these lines. */
export function buildArchive(
  items: readonly object[],
  header: object = { format: 'thalamus-archive', version: 1 },
): string {
  const about = {
    parent: null,
    is_personal: false,
    name: 'Hostile Brain',
    description: '',
    routing_rules: '',
    language: 'en',
    created_at: '2026-01-01T00:00:00Z',
  };
  const all = [header, { kind: 'brain', brain: 1, item: about }, ...items];
  return [...all, { end: true, lines: all.length + 1 }].map((line) => `${JSON.stringify(line)}\n`).join('');
}

/** Imports an archive as the command line does; answers the last answer, or the first refusal. */
export async function importText(server: ReachedServer, text: string, key = server.key) {
  const sha256 = createHash('sha256').update(text).digest('hex');
  const lines = text.trimEnd().split('\n').length;
  const begun = await server.call('start_import', { sha256, lines }, { key });
  if (begun.status !== 200) return begun;
  const { import_id } = begun.body;
  const sent = await server.call('add_import_lines', { import_id, first_line: 1, lines: text }, { key });
  return sent.status === 200 ? server.call('finish_import', { import_id }, { key }) : sent;
}
