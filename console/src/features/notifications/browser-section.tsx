import { useQuery } from '@tanstack/react-query';
import { Bell, BellOff } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../design/button.tsx';
import { Card } from '../../design/page.tsx';
import { Section } from '../../design/section.tsx';
import { Notice } from '../../design/states.tsx';
import { notifyFailure } from '../../design/toasts.tsx';
import { useCall } from '../../design/use-call.ts';
import { meQuery } from '../../entities/me.ts';
import { getNoticeState, switchOff, switchOn, type NoticeState } from './browser-notices.ts';

const says: Record<NoticeState, string> = {
  on: 'On while this page is open in the background.',
  off: 'Off in this browser.',
  refused: 'This browser blocks notifications of this site. Allow them in the browser settings, then come back.',
  missing: 'Notifications need an https address, or a browser on the machine of the server.',
};

/** Whether this browser shows a notice when a draft comes and nobody looks. */
export function BrowserSection() {
  const { data: me } = useQuery(meQuery);
  return (
    <Section
      title="Browser notifications"
      lead="Shown when a draft arrives or a deadline passes. Set this in each browser."
    >
      {me && <Switch personId={me.person.id} />}
    </Section>
  );
}

function Switch({ personId }: { personId: string }) {
  const [state, setState] = useState(() => getNoticeState(personId));
  const read = () => setState(getNoticeState(personId));
  const turning = useCall(async () => (state === 'on' ? switchOff(personId) : switchOn(personId)), {
    onSuccess: read,
    onError: () => {
      read();
      notifyFailure('Notifications are still off', new Error('This browser does not support them.'));
    },
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
        isBusy={turning.isBusy}
        onClick={() => turning.call()}
      >
        {state === 'on' ? 'Disable notifications' : 'Enable notifications'}
      </Button>
    </Card>
  );
}
