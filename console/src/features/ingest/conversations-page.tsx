import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { MessagesSquare } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../api/call.ts';
import { Button } from '../../design/button.tsx';
import { ConfirmDialog } from '../../design/confirm-dialog.tsx';
import { formatCount } from '../../design/format-count.ts';
import { ListPage } from '../../design/list-page.tsx';
import { Ago } from '../../design/time.tsx';
import { useCall } from '../../design/use-call.ts';
import { useHasScope } from '../../entities/me.ts';
import { chatsQuery, type Chat } from './requests.ts';

/** The captured conversations of the person, and the switch for capture. */
export function ConversationsPage() {
  const query = useQuery(chatsQuery);
  const { capture, chat_sessions: chats } = query.data ?? {};
  return (
    <ListPage
      title="Conversations"
      lead="Hooks of Claude Code keep your conversations, if their key has the scope sessions:capture."
      action={capture && <CaptureSwitch isOn={capture === 'on'} />}
      noun="conversations"
      query={{ ...query, data: chats }}
      getKey={({ chat_id }) => chat_id}
      getSearchText={({ title, client }) => `${title} ${client}`}
      renderRow={(chat) => <ChatRow of={chat} />}
      empty={{
        icon: <MessagesSquare />,
        title: 'No conversations kept',
        children:
          'Install the plugin in Claude Code, set its endpoint to this server, and give it a key with sessions:capture.',
      }}
    />
  );
}

function CaptureSwitch({ isOn }: { isOn: boolean }) {
  const mayChange = useHasScope('sessions:capture');
  const switching = useCall((enabled: boolean) => call('set_chat_capture', { enabled }), {
    refreshes: [['ingest', 'chats']],
    success: ({ capture }) => [
      capture === 'on' ? 'Capture is on' : 'Capture is off',
      'This applies to all of your keys.',
    ],
    failure: 'Nothing was changed',
  });
  if (!mayChange) return null;
  return (
    <Button isBusy={switching.isBusy} onClick={() => switching.call(!isOn)}>
      {isOn ? 'Switch capture off' : 'Switch capture on'}
    </Button>
  );
}

function ChatRow({ of: chat }: { of: Chat }) {
  const [isAsking, setIsAsking] = useState(false);
  const mayDelete = useHasScope('sessions:capture');
  const deleting = useCall(() => call('delete_chat_session', { chat_id: chat.chat_id }), {
    refreshes: [['ingest', 'chats']],
    success: 'Conversation deleted',
    failure: 'The conversation was not deleted',
    onSuccess: () => setIsAsking(false),
  });
  return (
    <li className="flex items-center gap-4 px-4 py-3.5 sm:px-5">
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
          {chat.client} · {formatCount(chat.turns, 'turn')} · <Ago at={chat.last_turn_at} />
        </p>
      </div>
      {mayDelete && (
        <Button look="quiet" size="small" aria-label={`Delete ${chat.title}`} onClick={() => setIsAsking(true)}>
          Delete
        </Button>
      )}
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
        title="Delete this conversation?"
        description="Its page and all its turns are deleted. You cannot undo this."
        act="Delete conversation"
        isBusy={deleting.isBusy}
        onConfirm={() => deleting.call()}
      />
    </li>
  );
}
