import { select } from '@clack/prompts';
import type { Command } from 'commander';
import type { Output } from '#sdk';
import { callOperation } from '../client.ts';
import { UsageError } from '../failure.ts';
import { toPrintable, printAnswer } from '../output.ts';
import { readProfile } from '../profile.ts';
import { readOneByOne } from './one-by-one.ts';

/** A draft in a list. */
type Draft = Output<'list_pending_actions'>['drafts'][number];
type Answer = 'approve' | 'decline' | 'next' | 'stop';

/** `thalamus inbox`: lists pending drafts, and approves or declines them. */
export function addInboxCommand(program: Command): void {
  const inbox = program
    .command('inbox')
    .description('Drafts that wait for approval: go through them, or approve and decline by id.');
  inbox.action(async () => (process.stdin.isTTY ? walkThrough() : list({})));
  inbox.command('list').description('List waiting drafts, newest first.').option('--json', 'print JSON').action(list);
  inbox
    .command('show <draft_id>')
    .description('Show all of a draft, and its outcome.')
    .option('--json', 'print JSON')
    .action(async (draft_id: string, options: { json?: boolean }) => {
      const action = await callOperation(readProfile(), 'get_action', { draft_id });
      if (options.json) printAnswer(action, options);
      else process.stdout.write(formatDraft(action));
    });
  inbox
    .command('approve <draft_id...>')
    .description('Approve one or more drafts, in this order. Read each with `show` first.')
    .action((ids: string[]) => decide('confirm_actions', ids.map(parseShownDraft)));
  inbox
    .command('decline <draft_id...>')
    .description('Decline. Nothing is sent.')
    .action((ids: string[]) => decide('discard_actions', ids.map(parseShownDraft)));
}

function readPage(cursor: string | null): Promise<Output<'list_pending_actions'>> {
  return callOperation(readProfile(), 'list_pending_actions', {
    limit: 100,
    detail: 'full',
    ...(cursor !== null && { cursor }),
  });
}

async function list(options: { json?: boolean }): Promise<void> {
  const first = await readPage(null);
  const drafts = [...first.drafts];
  for (let next = first.next_cursor; next !== null;) {
    const page = await readPage(next);
    drafts.push(...page.drafts);
    next = page.next_cursor;
  }
  if (options.json) return printAnswer({ ...first, count: drafts.length, drafts, next_cursor: null }, options);
  const unknown = await mayHaveBeenSent();
  process.stdout.write(
    unknown.map((draft) => `${draft.draft_id}  MAY HAVE BEEN SENT: ${formatHeadline(draft)}\n`).join(''),
  );
  process.stdout.write(drafts.map((draft) => `${draft.draft_id}  ${formatHeadline(draft)}\n`).join(''));
  process.stderr.write(drafts.length ? `${drafts.length} of ${first.total} that wait.\n` : 'No drafts wait for you.\n');
  if (unknown.length) process.stderr.write(`${unknown.length} may have been sent: ${explainManualCheck()}\n`);
}

/** The outcome of these drafts is unknown until their provider answers or a person checks. */
async function mayHaveBeenSent(): Promise<Output<'list_actions'>['actions']> {
  return (await callOperation(readProfile(), 'list_actions', { status: 'ambiguous', limit: 200 })).actions;
}

function explainManualCheck(draftId = ''): string {
  const page = `${readProfile().url}/inbox${draftId && `/${draftId}`}`;
  return `check at the service, and answer at ${page}`;
}

/** Shows the drafts one after another to the person at the terminal. */
async function walkThrough(): Promise<void> {
  let shown = 0;
  for await (const draft of readOneByOne<Draft>(readPage)) {
    shown += 1;
    process.stdout.write(formatDraft(draft));
    const answer = await ask(draft);
    if (answer === 'stop') return;
    if (answer === 'approve') await decide('confirm_actions', [draft]);
    if (answer === 'decline') await decide('discard_actions', [draft]);
  }
  process.stdout.write(shown ? 'No more drafts.\n' : 'No drafts wait for you.\n');
}

async function ask({ preview }: Draft): Promise<Answer> {
  const approve = { value: 'approve' as const, label: 'Approve and send' };
  const answer = await select<Answer>({
    message: 'What do you want to do?',
    initialValue: 'next',
    options: [
      ...(preview.is_complete ? [approve] : []),
      { value: 'decline', label: 'Decline' },
      { value: 'next', label: 'Skip it for now' },
      { value: 'stop', label: 'Stop' },
    ],
  });
  return typeof answer === 'symbol' ? 'stop' : answer; // Ctrl-C
}

/** Which draft, and which content of it was shown. */
type ShownDraft = Pick<Draft, 'draft_id'> & { content_hash?: string | null };

/** An id as the user types it, optionally followed by an at sign and the first digits of the content hash. */
function parseShownDraft(text: string): ShownDraft {
  const [draft_id = '', content_hash = null] = text.split('@');
  return { draft_id, content_hash };
}

async function decide(operation: 'confirm_actions' | 'discard_actions', drafts: readonly ShownDraft[]): Promise<void> {
  const draft_ids = drafts.map(({ draft_id }) => draft_id);
  const content_hashes = drafts.map(({ content_hash = null }) => content_hash);
  const most = operation === 'confirm_actions' ? 50 : 100;
  if (draft_ids.length > most) throw new UsageError(`At most ${most} at once.`);
  const input = { draft_ids, ...(operation === 'confirm_actions' && { content_hashes }) };
  const { results } = await callOperation(readProfile(), operation, input);
  for (const { draft_id, status, error } of results)
    process.stdout.write(`${draft_id}  ${status}${error === undefined ? '' : `: ${toPrintable(error)}`}\n`);
  const done = operation === 'confirm_actions' ? 'confirmed' : 'discarded';
  if (results.some(({ status }) => status !== done)) process.exitCode = 1;
}

function formatHeadline({ preview, about, account, drafted_by }: Draft): string {
  return toPrintable(`${preview.title}${about ? `: ${about}` : ''} (${account}, by ${drafted_by})`).replaceAll(
    '\n',
    ' ',
  );
}

function indentText(text: string): string {
  return toPrintable(text).replaceAll('\n', '\n    ');
}

/** Everything that would be sent. */
function formatDraft(draft: Draft): string {
  const { preview, status, expires_at, draft_id, error, edited, content_hash } = draft;
  const lines = [
    '',
    formatHeadline(draft),
    `${draft_id}  ${status}${status === 'pending' ? ` until ${expires_at}` : ''}`,
    ...(edited && status === 'pending'
      ? [`  Edited by ${toPrintable(edited.by)}. Approve it as ${draft_id}@${content_hash?.slice(0, 32)}`]
      : []),
    ...preview.fields.flatMap(({ label, text, was }) => [
      `  ${toPrintable(label)}: ${indentText(text)}`,
      ...(was === undefined ? [] : [`    before: ${indentText(was)}`]),
    ]),
    ...(error ? [`  ${indentText(error)}`] : []),
    ...(status === 'ambiguous' ? [`  It may have been sent: ${explainManualCheck(draft_id)}`] : []),
    ...(preview.is_complete
      ? []
      : [
          preview.is_completed_at_console
            ? 'It contains values that an agent wrote. Only the console shows them: approve it there.'
            : '  It is too long to be shown completely, so it cannot be approved.',
        ]),
  ];
  return `${lines.join('\n')}\n`;
}
