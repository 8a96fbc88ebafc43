// A mail about deadlines that passed, as plain text. Words of people and agents follow `> ` on a line of their own.
import { formatUtcTime } from '#modules/actions';
import { buildWorkflowUrl, type LateDeadline } from '#modules/workflows';
import { toQuotable } from './format-mail.ts';

const mostShown = 20;

export function buildDeadlineMail(
  deadlines: readonly LateDeadline[],
  { publicUrl, email }: { publicUrl: string; email: string },
): { subject: string; text: string } {
  const [only] = deadlines;
  const isOne = deadlines.length === 1;
  const subject = isOne ? 'A deadline passed' : `${deadlines.length} deadlines passed`;
  const shown = deadlines.slice(0, mostShown);
  const more = deadlines.length - shown.length;
  const lines = [
    `${subject}.`,
    '',
    ...shown.flatMap((each) => [...formatDeadlineLines(each), '']),
    ...(more ? [`And ${more} more.`, ''] : []),
    isOne ? 'Open the workflow:' : 'Open your workflows:',
    isOne && only ? buildWorkflowUrl(publicUrl, only.workflow_id) : `${publicUrl}/workflows`,
    '',
    `The link opens the console, where you sign in as ${email}.`,
    `Change how you are notified: ${publicUrl}/account/notifications`,
  ];
  return { subject, text: `${lines.join('\n')}\n` };
}

function formatDeadlineLines({ name, title, due }: LateDeadline): string[] {
  const day = due.length === 10 ? due : formatUtcTime(new Date(due));
  return [`> ${toQuotable(name)}`, `> Workflow: ${toQuotable(title)}`, `It was due on ${day}.`];
}
