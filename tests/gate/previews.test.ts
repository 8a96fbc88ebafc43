// The approver has seen everything that is sent: the preview shows every field of every action.
import { expect, test } from 'vitest';
import type { Action } from '#kernel/action';
import { integrationActions } from '#providers';
import { push } from '#modules/telegram';

const actions = [...integrationActions, push].map((action) => [`${action.source} ${action.name}`, action] as const);
const sha256 = 'ab'.repeat(32);

/** Values of every kind; the first that a field takes is given. */
const candidates: readonly unknown[] = [
  'zebra@example.com',
  '2027-07-08T09:10:11+02:00',
  '2026-01-02T03:04:05+02:00',
  '2027-07-08T09:10:11Z',
  '2027-07-08',
  'Zebra',
  'zebra',
  'ENG-77',
  'ZEB',
  '/v1/zebra',
  '1717243200.000777',
  '7777777777',
  'abcdef12-3456-4789-8abc-def012345678',
  'abc777',
  'text/zebra',
  77,
  7777777,
  true,
  false,
  ['zebra@example.com'],
  ['Zebra'],
  [{ filename: 'zebra.txt', mime_type: 'text/plain', size: 7, sha256 }],
  [{ text: 'Zebra', url: 'https://zebra.example/' }],
  { zebra: 'Zebra' },
  { path: '/v1/zebra', where: { zebra: 'Zebra' } },
];

function formatPreview(action: Action, payload: Record<string, unknown>): string {
  const { title, fields } = action.preview(payload);
  return JSON.stringify([title, fields]);
}

/** What an action takes with a field given that is another than its example's; other fields are left out when it needs that. */
function withField(action: Action, name: string): { given: Record<string, unknown>; without: Record<string, unknown> } {
  const example = action.example as Record<string, unknown>;
  const { [name]: own, ...rest } = example;
  const bases = [rest, ...Object.keys(rest).map((left) => omit(rest, left))];
  for (const base of bases)
    for (const value of [...candidates, ...listOptions(action, name)]) {
      if (JSON.stringify(value) === JSON.stringify(own)) continue;
      const given = action.payload.safeParse({ ...base, [name]: value });
      const without = [base, { ...base, [name]: own }, example]
        .map((other) => action.payload.safeParse(other))
        .find(({ success, data }) => success && JSON.stringify(data) !== JSON.stringify(given.data));
      if (given.success && without?.success) return { given: given.data, without: without.data };
    }
  throw new Error(`nothing is known that ${name} takes`);
}

function listOptions(action: Action, name: string): unknown[] {
  let schema: unknown = action.payload.shape[name];
  for (;;) {
    const of = schema as { options?: unknown[]; unwrap?: () => unknown };
    if (of.options) return [...of.options];
    if (!of.unwrap) return [];
    schema = of.unwrap();
  }
}

function omit(of: Record<string, unknown>, name: string): Record<string, unknown> {
  return Object.fromEntries(Object.entries(of).filter(([each]) => each !== name));
}

/** What stands for nothing but itself: the chat beside the name of the phone, and the method of an action that has one. */
const notShown = new Set(['telegram push chat_id', 'http_json send_delete method']);

test.each(actions)('the preview of %s shows every given field', (label, action) => {
  for (const name of Object.keys(action.payload.shape)) {
    if (notShown.has(`${label} ${name}`)) continue;
    const { given, without } = withField(action, name);
    expect(formatPreview(action, given), name).not.toBe(formatPreview(action, without));
  }
});

test.each(actions)('the preview of %s equals its example letter for letter', (label, action) => {
  const payload = action.payload.parse(action.example) as Record<string, unknown>;
  const text = JSON.stringify(formatPreview(action, payload));
  const fields = Object.entries(action.example as Record<string, unknown>);
  for (const value of fields.flatMap(([name, each]) => (notShown.has(`${label} ${name}`) ? [] : listWords(each))))
    expect(text.toLowerCase()).toContain(JSON.stringify(value).slice(1, -1).toLowerCase());
});

/** All texts and numbers in a value; what is one of several is shown as it is called. */
function listWords(value: unknown): string[] {
  if (typeof value === 'string') return /^[a-z_]+$/.test(value) ? [] : [value.replace(/^#/, '')];
  if (typeof value === 'number') return [String(value)];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(listWords) : [];
}

test.each(['gmail send_email', 'outlook_mail send_email'])(
  'the title of %s to many recipients keeps its subject in view, and the preview has all of them',
  (name) => {
    const action = new Map<string, Action>(actions).get(name);
    const to = Array.from({ length: 14 }, (_, n) => `n${n}@example.com`);
    const mail = action?.payload.parse({ to, subject: 'Next week', body: 'Hello.' });
    const preview = mail && action?.preview(mail);
    expect(preview?.title).toBe('Mail to n0@example.com, n1@example.com and 12 more: Next week');
    expect(preview?.fields).toContainEqual({ label: 'To', text: to.join(', ') });
  },
);
