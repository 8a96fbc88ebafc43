import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openAsOwner, type OwnerDatabase } from '../../../tests/support/owner-database.ts';
import { quickTimes } from '../../../tests/support/quick-times.ts';
import { addPerson } from '../../../tests/support/second-person.ts';
import { startTestServer, type TestServer } from '../../../tests/support/server.ts';
import { startSmtp, type SmtpServer } from '../../../tests/support/smtp.ts';
import { passTimeAndWait, waitForDueJobs } from '../../../tests/support/time-passes.ts';

const gatherSeconds = 20;

let smtp: SmtpServer;
let server: TestServer;
let database: OwnerDatabase;
let colleague: Awaited<ReturnType<typeof addPerson>>;

beforeAll(async () => {
  smtp = await startSmtp();
  server = await startTestServer({
    THALAMUS_MAIL_URL: smtp.url,
    THALAMUS_MAIL_GATHER_SECONDS: String(gatherSeconds),
    THALAMUS_OWNER_EMAIL: 'ada@example.com',
    THALAMUS_LOG_LEVEL: 'silent',
    ...quickTimes,
  });
  database = await openAsOwner(server.connectionString);
  await database.rows('delete from jobs.schedule'); // each test has its round run itself
  colleague = await addPerson(database);
  await server.ok('set_notifications', { mail: 'each' });
});
afterAll(async () => {
  await database.close();
  await server.close();
  await smtp.close();
});
beforeEach(async () => {
  await database.rows('delete from workflows');
  await waitForDueJobs(server.connectionString);
  smtp.behave('take');
  smtp.taken.length = 0;
});

async function create(more: object = {}): Promise<string> {
  const deadlines = [{ name: 'Launch', due: '2099-03-31' }];
  const input = { title: 'Launch in Spain', charter: 'Find pilots.', deadlines, ...more };
  return (await server.ok('create_workflow', input)).workflow_id;
}

/** Lets the years pass until every deadline of 2099 passed, and the round of that minute run. */
async function passDeadlines(): Promise<void> {
  await database.rows(`update workflows set deadlines = replace(deadlines::text, '2099', '2020')::jsonb,
    next_deadline_at = next_deadline_at - interval '79 years'`);
  await runRound();
}
async function runRound(): Promise<void> {
  await database.rows(`insert into jobs.job (name, retry_limit) values ('workflows.deadlines', 0)`);
  await waitForDueJobs(server.connectionString);
}
const waitForMails = () => passTimeAndWait(server.connectionString, gatherSeconds + 1);

test('the owner gets one mail about a deadline that passed, however often its round runs', async () => {
  const id = await create();
  await runRound();
  await waitForMails();
  expect(smtp.taken).toEqual([]);
  await passDeadlines();
  await runRound();
  await waitForMails();
  await runRound();
  await waitForMails();
  expect(smtp.taken).toHaveLength(1);
  expect(smtp.taken[0]?.subject).toBe('A deadline passed');
  expect(smtp.taken[0]?.text).toContain(`> Launch\n> Workflow: Launch in Spain\nIt was due on 2020-03-31.`);
  expect(smtp.taken[0]?.text).toMatch(new RegExp(`Open the workflow:\\nhttp://localhost:\\d+/workflows/${id}\\n`));
  const events = await database.rows(`select payload from events where name = 'workflow.deadline_passed'`);
  expect(events).toMatchObject([{ payload: { workflow_id: id, name: 'Launch', due: '2020-03-31' } }]);
});

test('deadlines that pass together share a mail, and one that was met meanwhile is left out', async () => {
  const names = ['Launch', 'Press', 'Party'];
  const id = await create({ deadlines: names.map((name) => ({ name, due: '2099-03-31T10:00:00Z' })) });
  await passDeadlines();
  await server.ok('update_workflow', { workflow_id: id, deadlines: [{ name: 'Press', is_done: true }] });
  await waitForMails();
  expect(smtp.taken.map(({ subject }) => subject)).toEqual(['2 deadlines passed']);
  expect(smtp.taken[0]?.text).not.toContain('Press');
});

test('a deadline that was met, or whose workflow is paused or closed, is mailed to nobody', async () => {
  const met = await create({ title: 'Met' });
  await server.ok('update_workflow', { workflow_id: met, deadlines: [{ name: 'Launch', is_done: true }] });
  const paused = await create({ title: 'Paused' });
  await server.ok('update_workflow', { workflow_id: paused, state: 'paused' });
  await server.ok('close_workflow', { workflow_id: await create({ title: 'Closed' }) });
  await create({ title: 'Passed before it was made', deadlines: [{ name: 'Old', due: '2020-01-01' }] });
  await passDeadlines();
  await waitForMails();
  expect(smtp.taken).toEqual([]);
  await server.ok('update_workflow', { workflow_id: paused, state: 'active' });
  await runRound();
  await waitForMails();
  expect(smtp.taken.map(({ text }) => /Workflow: (.*)/.exec(text)?.[1])).toEqual(['Paused']);
});

test('people of the team who may read the workflow are mailed as they chose, others are not', async () => {
  await server.ok('set_notifications', { mail: 'each' }, { key: colleague.key });
  const { brain_id } = await server.ok('create_brain', { name: 'Shared' });
  const roster = [{ person_id: colleague.personId, part: 'Sales' }];
  await create({ brain_id, roster });
  await passDeadlines();
  await waitForMails();
  expect(smtp.taken.flatMap(({ to }) => to)).toEqual(['ada@example.com']);
  smtp.taken.length = 0;
  await database.rows('delete from workflows');
  await database.rows(
    `insert into brain_members (brain_id, person_id, workspace_id, access_level, created_at)
      select id, $2, workspace_id, 'viewer', now() from brains where id = $1`,
    [brain_id, colleague.personId],
  );
  await create({ brain_id, roster });
  await passDeadlines();
  await waitForMails();
  expect(smtp.taken.flatMap(({ to }) => to).toSorted()).toEqual([colleague.email, 'ada@example.com'].toSorted());
});

test('a mail that no server accepted comes later, and names what is still late', async () => {
  await create();
  smtp.behave('refuse');
  await passDeadlines();
  await waitForMails();
  expect(await database.rows('select attempts from deadline_mails')).toEqual([{ attempts: 1 }]);
  smtp.behave('take');
  await waitForMails();
  await waitForMails();
  expect(smtp.taken.map(({ subject }) => subject)).toEqual(['A deadline passed']);
});
