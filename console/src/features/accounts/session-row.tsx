import { Button } from '../../design/button.tsx';
import { Tag } from '../../design/page.tsx';
import { Ago } from '../../design/time.tsx';
import { parseBrowserName } from './browser-name.ts';
import { endSession, type Session } from './requests.ts';
import { useCall } from '../../design/use-call.ts';

/** One browser that somebody is signed in with, and a button to end the session. */
export function SessionRow({ of: session, isOwn }: { of: Session; isOwn: boolean }) {
  const ending = useEnding();
  const name = parseBrowserName(session.browser);
  const whose = isOwn ? name : `${name} of ${session.person.name}`;
  return (
    <li className="flex items-center gap-4 px-5 py-4">
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-2">
          <span className="truncate text-sm font-medium">{whose}</span>
          {session.is_current && <Tag tone="go">This browser</Tag>}
          {session.opened_by_key && <Tag>Opened by key {session.opened_by_key}</Tag>}
        </p>
        <p className="mt-1 flex flex-wrap gap-x-3 text-[13px] text-faint">
          <span>
            Signed in <Ago at={session.created_at} />
          </span>
          {session.last_used_at && (
            <span>
              Used <Ago at={session.last_used_at} />
            </span>
          )}
        </p>
      </div>
      {!session.is_current && (
        <Button
          look="quiet"
          size="small"
          isBusy={ending.isBusy}
          aria-label={`End the session of ${whose}`}
          onClick={() => ending.call(session.session_id)}
        >
          End
        </Button>
      )}
    </li>
  );
}

function useEnding() {
  return useCall(endSession, {
    refreshes: [['accounts', 'sessions']],
    success: ['Session ended', 'That browser is signed out.'],
    failure: 'The session was not ended',
  });
}
