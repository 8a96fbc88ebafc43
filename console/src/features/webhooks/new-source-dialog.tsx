import { Cable, ChevronRight, Webhook } from 'lucide-react';
import { useState } from 'react';
import { PlainDialog } from '../../design/plain-dialog.tsx';
import { NewConnectorDialog } from '../ingest/new-connector-dialog.tsx';
import { NewWebhookDialog } from './new-webhook-dialog.tsx';

const kinds = [
  {
    kind: 'webhook',
    icon: Webhook,
    title: 'Webhook',
    about:
      'A service that sends its own events, such as GitHub, Stripe or your own. A translator turns them into memories.',
  },
  {
    kind: 'connector',
    icon: Cable,
    title: 'Connector',
    about: 'An automation tool such as Make, Zapier or n8n sends texts with a token: mails, meeting notes, messages.',
  },
] as const;

/** Asks what will send, and then for what that kind needs. */
export function NewSourceDialog({ onClose }: { onClose: () => void }) {
  const [chosen, setChosen] = useState<(typeof kinds)[number]['kind'] | null>(null);
  if (chosen === 'webhook') return <NewWebhookDialog onClose={onClose} />;
  if (chosen === 'connector') return <NewConnectorDialog onClose={onClose} />;
  return (
    <PlainDialog isOpen onClose={onClose} title="New source" description="What will send items here?">
      <ul className="divide-y divide-line overflow-hidden rounded-xl border border-line">
        {kinds.map(({ kind, icon: Icon, title, about }) => (
          <li key={kind}>
            <button
              className="flex w-full items-center gap-3.5 px-4 py-3.5 text-left transition-colors hover:bg-hover focus-visible:-outline-offset-2"
              onClick={() => setChosen(kind)}
            >
              <Icon className="size-5 shrink-0 text-faint" aria-hidden />
              <span className="min-w-0 flex-1">
                <span className="block text-sm font-medium">{title}</span>
                <span className="mt-0.5 block text-[13px] leading-relaxed text-soft">{about}</span>
              </span>
              <ChevronRight className="size-4 shrink-0 text-faint" aria-hidden />
            </button>
          </li>
        ))}
      </ul>
    </PlainDialog>
  );
}
