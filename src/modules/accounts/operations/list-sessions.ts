import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { visibleTo } from '../ids.ts';
import { listSessions as findSessions } from '../store/sessions.ts';

export const listSessions = defineOperation({
  name: 'list_sessions',
  summary: 'List who is signed in to the console and where: yours, and for administrators those of everybody.',
  toolset: 'accounts',
  effect: 'read',
  access: { scope: 'keys:read', isForPeople: true },
  rest: [{ method: 'GET', path: '/v1/sign-ins' }],
  input: z.strictObject({}),
  output: z.object({
    sessions: z.array(
      z.object({
        session_id: z.uuid(),
        person: z.object({ id: z.uuid(), name: z.string() }),
        is_current: z.boolean().describe('The session that asks.'),
        browser: z.string().nullable().describe('The browser as it names itself (User-Agent).'),
        opened_by_key: z.string().nullable().describe('The key whose link opened it; the session ends with that key.'),
        created_at: z.iso.datetime(),
        last_used_at: z.iso.datetime().nullable().describe('To the minute.'),
        expires_at: z.iso.datetime(),
      }),
    ),
  }),
  errors: ['forbidden'],
  examples: [{ title: 'Where am I signed in?', input: {} }],
  async run({ db, caller, now }) {
    const sessions = await findSessions(db, visibleTo(caller), now);
    return {
      sessions: sessions.map((session) => ({
        session_id: session.id,
        person: { id: session.person_id, name: session.person_name },
        is_current: session.id === caller.id,
        browser: session.user_agent,
        opened_by_key: session.key_label,
        created_at: session.created_at.toISOString(),
        last_used_at: session.last_used_at?.toISOString() ?? null,
        expires_at: session.expires_at.toISOString(),
      })),
    };
  },
});
