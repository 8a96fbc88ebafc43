/** Shows a system notice for a deadline that passed, when nobody looks at the console. */
import type { QueryClient } from '@tanstack/react-query';
import { meQuery } from '../../entities/me.ts';
import { getNoticeState, showNotice } from './browser-notices.ts';
import { readWorkflow } from './requests.ts';
import { isInView } from './visible-tabs.ts';

type PassedDeadline = { workflowId: string; name: string };

/** A deadline passed. Only the owner of its workflow and people of the team are notified. */
export async function notePassedDeadline(
  queryClient: QueryClient,
  { workflowId, name }: PassedDeadline,
  open: (workflowId: string) => void,
): Promise<void> {
  const me = queryClient.getQueryData(meQuery.queryKey)?.person.id;
  if (me === undefined || getNoticeState(me) !== 'on' || (await isInView())) return;
  const { title, owner_id: ownerId, roster } = await readWorkflow(workflowId);
  if (ownerId !== me && !roster.some(({ id }) => id === me)) return;
  showNotice({
    tag: `thalamus-deadline-${workflowId}-${name}`,
    ids: [],
    title: 'A deadline passed',
    body: `${name}\n${title}`,
    onOpen: () => open(workflowId),
  });
}
