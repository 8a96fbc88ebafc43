import { useMutation, useQuery } from '@tanstack/react-query';
import { Bell, BellOff } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../design/button.tsx';
import { Card } from '../../design/page.tsx';
import { Section } from '../../design/section.tsx';
import { Notice } from '../../design/states.tsx';
import { tellFailure } from '../../design/toasts.tsx';
import { meQuery } from '../accounts/requests.ts';
import { noticeState, switchOff, switchOn, type NoticeState } from './browser-notices.ts';

const says: Record<NoticeState, string> = {
  on: 'You are told while this page is open and not in view.',
  off: 'You are not told in this browser.',
  refused: 'This browser refuses notices of this site. Allow them in its settings for this address, then come back.',
  missing:
    'This browser shows no notices of this site. It needs an https address, or the machine that the server runs on.',
};

/** Whether this browser shows a notice when a draft comes and nobody looks. */
export function BrowserSection() {
  const { data: me } = useQuery(meQuery);
  return (
    <Section title="In this browser" lead="A notice of the system when a draft comes. Each browser is set by itself.">
      {me && <Switch personId={me.person.id} />}
    </Section>
  );
}

function Switch({ personId }: { personId: string }) {
  const [state, setState] = useState(() => noticeState(personId));
  const turning = useMutation({
    mutationFn: async () => (state === 'on' ? switchOff(personId) : switchOn(personId)),
    onError: () => tellFailure('Not switched on', new Error('This browser lets no page show notices by itself.')),
    onSettled: () => setState(noticeState(personId)),
  });
  if (state === 'refused' || state === 'missing')
    return (
      <Notice tone="plain" icon={<BellOff />}>
        {says[state]}
      </Notice>
    );
  return (
    <Card className="flex flex-wrap items-center justify-between gap-3 px-5 py-4">
      <p className="text-sm text-soft">{says[state]}</p>
      <Button
        icon={state === 'on' ? <BellOff className="size-4" aria-hidden /> : <Bell className="size-4" aria-hidden />}
        isBusy={turning.isPending}
        onClick={() => turning.mutate()}
      >
        {state === 'on' ? 'Stop telling me here' : 'Tell me here'}
      </Button>
    </Card>
  );
}
