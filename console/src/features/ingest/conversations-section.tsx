import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { MessagesSquare } from 'lucide-react';
import { call } from '../../api/call.ts';
import { Button } from '../../design/button.tsx';
import { Card } from '../../design/page.tsx';
import { EmptyState, ErrorState, Skeleton } from '../../design/states.tsx';
import { Ago } from '../../design/time.tsx';
import { notifyFailure } from '../../design/toasts.tsx';
import { chatsQuery, type Chat } from './requests.ts';
import { useCall } from '../../design/use-call.ts';

/** The captured conversations of the person, and the switch for capture. */
export function ConversationsSection() {
  const { data, error, isPending, refetch } = useQuery(chatsQuery);
  const switching = useCall((enabled: boolean) => call('set_chat_capture', { enabled }), {
    refreshes: [['ingest', 'chats']],
    success: ({ capture }) => [
      capture === 'on' ? 'Capture is on' : 'Capture is off',
      'This holds for all of your keys.',
    ],
    onError: (failure) => notifyFailure('Nothing was changed', failure),
  });
  if (isPending) return <Skeleton label="Loading conversations" />;
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  const isOn = data.capture === 'on';
  return (
    <div className="space-y-3">
      <Button size="small" isBusy={switching.isBusy} onClick={() => switching.call(!isOn)}>
        {isOn ? 'Switch capture off' : 'Switch capture on'}
      </Button>
      <Card>
        {!data.chat_sessions.length && (
          <EmptyState icon={<MessagesSquare />} title="No conversations kept">
            Install the plugin in Claude Code, set its endpoint to this server, and give it a key with sessions:capture.
          </EmptyState>
        )}
        <ul className="divide-y divide-line">
          {data.chat_sessions.map((chat) => (
            <ChatRow key={chat.chat_id} of={chat} />
          ))}
        </ul>
      </Card>
    </div>
  );
}

function ChatRow({ of: chat }: { of: Chat }) {
  const deleting = useCall(() => call('delete_chat_session', { chat_id: chat.chat_id }), {
    refreshes: [['ingest', 'chats']],
    success: 'Conversation deleted',
    failure: 'The conversation was not deleted',
  });
  return (
    <li className="flex items-center gap-4 px-5 py-4">
      <div className="min-w-0 flex-1">
        <p className="truncate text-sm font-medium">
          {chat.page_id ? (
            <Link to="/library/$pageId" params={{ pageId: chat.page_id }} className="hover:underline">
              {chat.title}
            </Link>
          ) : (
            chat.title
          )}
        </p>
        <p className="mt-1 text-[13px] text-faint">
          {chat.client} · {chat.turns === 1 ? '1 turn' : `${chat.turns} turns`} · <Ago at={chat.last_turn_at} />
        </p>
      </div>
      <Button
        look="quiet"
        size="small"
        isBusy={deleting.isBusy}
        aria-label={`Delete ${chat.title}`}
        onClick={() => deleting.call()}
      >
        Delete
      </Button>
    </li>
  );
}
