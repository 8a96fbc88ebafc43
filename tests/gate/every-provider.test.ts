// Every action: drafted, edited, confirmed, stored exactly once at the provider, recorded, and undone where possible.
import type { Action } from '#kernel/action';
import { integrationActions } from '#providers';
import { push } from '#modules/telegram';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startUpstreams, type Subject } from '../crash/matrix/index.ts';
import { isRequestMatch } from '#emulators/kit/failures';
import { toRequestFacts } from '#emulators/kit/ledger';
import { createActionDraft, allowKeysToDestroy, waitForOutcome, type ActionToDraft } from '../support/acting.ts';
import { startWatchedServer, type WatchedServer } from '../support/watched-server.ts';

const { upstreams, subjects } = await startUpstreams(true);
const actions = new Map([...integrationActions, push].map((action) => [`${action.source} ${action.name}`, action]));

let server: WatchedServer;
beforeAll(async () => {
  const allowed = upstreams.flatMap(({ settings }) => settings['THALAMUS_EGRESS_ALLOW'] ?? []).join(',');
  const ledger = { ever: () => upstreams.flatMap((upstream) => upstream.ledger.ever()) };
  server = await startWatchedServer(
    { ledger },
    {
      ...Object.assign({}, ...upstreams.map(({ settings }) => settings)),
      ...(allowed && { THALAMUS_EGRESS_ALLOW: allowed }),
    },
  );
  for (const upstream of upstreams) await upstream.link(server);
  await allowKeysToDestroy(server);
});
afterAll(async () => {
  await server.close();
  for (const upstream of upstreams) await upstream.close();
});

test('this test and the crash matrix cover every action', () => {
  const known = subjects.map(({ name, handle }) => [name, handle]);
  expect(known.toSorted()).toEqual([...actions].map(([name, { handle }]) => [name, handle]).toSorted());
});

/** Actions on existing items with a name, which identifies their drafts. Messages and comments have no name. */
const toWhatIsNamed =
  / ((update|delete|respond|label|archive|mark|trash|share|reply|append)_(?!comment|message)|create_(comment|update)$)/;

/** The fields that hold one marker, with another one in its place; or what the subject says. */
function buildEdits({ edits }: Subject, { editable }: Action, { input }: ActionToDraft, [from, to]: [string, string]) {
  if (edits) return edits;
  const written = editable.map((field) => [field, JSON.stringify(input[field] ?? null)] as const);
  const marked = written.filter(([, text]) => text.includes(from));
  return Object.fromEntries(marked.map(([field, text]) => [field, JSON.parse(text.replaceAll(from, to)) as unknown]));
}

/** The effective requests, since a given count. */
function listEffects(subject: Subject, marker: string, from: number) {
  const match = subject.requests(marker).at(-1) ?? {};
  const upstream = upstreams.find((each) => each.subjects.includes(subject));
  return (upstream?.ledger.ever() ?? []).slice(from).filter((entry) => isRequestMatch(match, toRequestFacts(entry)));
}

const cases = subjects.map((subject, position) => [subject.name, subject, `every-n${position}`] as const);

test.for(cases)('the action %s is edited, carried out once, recorded, and undone where it can be', async (each) => {
  const [name, subject, marker] = each;
  const about = actions.get(name);
  if (!about) throw new Error(`there is no action ${name}`);
  const [first, other] = [`${marker}a`, `${marker}b`];
  const request = await subject.request(first);
  const edits = buildEdits(subject, about, request, [first, other]);
  expect(Object.keys(edits).length > 0, 'what can be edited is edited').toBe(about.editable.length > 0);
  const isMarked = !subject.edits && about.editable.length > 0;
  const last = isMarked ? other : first;

  const id = await createActionDraft(server, request);
  expect(await subject.visible(first)).toBe(0);
  const from = upstreams.find(({ subjects: own }) => own.includes(subject))?.ledger.ever().length ?? 0;
  await server.ok('confirm_action', { draft_id: id, edits });
  const action = await waitForOutcome(server, id);
  expect(action).toMatchObject({ status: 'confirmed', ledger_is_whole: true, payload: edits });
  expect(await subject.visible(last)).toBe(1);
  if (isMarked) expect(await subject.visible(first), 'as it was before the edit').toBe(0);
  const made = listEffects(subject, last, from);
  expect(made).toHaveLength(1);
  const sentRequests = JSON.stringify(made.map(({ path, query, body }) => [path, query, body]));
  for (const value of subject.edits ? listLeafTexts(subject.edits) : []) expect(sentRequests).toContain(value);
  expect(typeof action['about'] === 'string', 'it says how what it changes is called').toBe(toWhatIsNamed.test(name));
  const { fields } = action['preview'] as { fields: { label: string }[] };
  expect(fields.map(({ label }) => label)).not.toContain('Not looked up');
  const edited = about.editable.length ? ['edited'] : [];
  const steps = ['drafted', ...edited, 'decided', 'sending', 'confirmed'];
  expect(action.ledger.map(({ step }) => step)).toEqual(steps);

  if (!about.undo) return void expect(action['undo']).toBeNull();
  expect(action['undo']).toMatchObject({ says: about.undo.says });
  for (const _ of ['once', 'twice'])
    expect(await server.ok('undo_action', { draft_id: id })).toMatchObject({ status: 'undone' });
  expect(await subject.visible(last)).toBe(0);
  const { ledger, ledger_is_whole } = await waitForOutcome(server, id);
  expect([ledger.map(({ step }) => step), ledger_is_whole]).toEqual([[...steps, 'undoing', 'undone'], true]);
});

/** All texts in it. */
function listLeafTexts(value: unknown): string[] {
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(listLeafTexts) : [String(value)];
}

test('the server shows no secret, and no table contains one', async () => {
  const secrets = upstreams.flatMap(({ settings }) => Object.entries(settings)).filter(([name]) => /SECRET/.test(name));
  expect(secrets.length).toBeGreaterThan(5);
  expect(await server.leaks(Object.fromEntries(secrets))).toEqual([]);
});
