import { useQuery } from '@tanstack/react-query';
import { UserPlus, Users } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../design/button.tsx';
import { ListPage } from '../../design/list-page.tsx';
import { Tag } from '../../design/page.tsx';
import { Section } from '../../design/section.tsx';
import { Ago } from '../../design/time.tsx';
import { InvitationList } from './invitation-list.tsx';
import { InvitePersonDialog } from './invite-person-dialog.tsx';
import { peopleQuery, type Person } from './people-requests.ts';
import { PersonDrawer } from './person-drawer.tsx';
import { roleWords } from './role-words.ts';
import { useHasScope } from '../../entities/me.ts';

/** The people and invitations of the workspace. Administrators invite people, change roles and remove people. */
export function PeoplePage() {
  const query = useQuery(peopleQuery);
  const { data } = query;
  const isAdmin = useHasScope('workspace:admin');
  const [isInviting, setIsInviting] = useState(false);
  const [openId, setOpenId] = useState<string | null>(null);
  return (
    <ListPage
      title="People"
      lead="Everyone in this workspace. Each person has a personal brain that nobody else can read."
      action={
        isAdmin && (
          <Button look="primary" icon={<UserPlus className="size-4" aria-hidden />} onClick={() => setIsInviting(true)}>
            Invite
          </Button>
        )
      }
      noun="people"
      query={{ ...query, data: data?.people }}
      getKey={({ person_id }) => person_id}
      getSearchText={({ name, email }) => `${name} ${email}`}
      renderRow={(person) => (
        <PersonRow person={person} onOpen={isAdmin || person.is_you ? () => setOpenId(person.person_id) : undefined} />
      )}
      empty={{ icon: <Users />, title: 'Nobody here yet', children: 'People appear here once they join.' }}
    >
      {isAdmin && data && (
        <div className="mt-9">
          <Section title="Invitations" lead="People who have not joined yet.">
            <InvitationList invitations={data.invitations} />
          </Section>
        </div>
      )}
      <InvitePersonDialog isOpen={isInviting} onClose={() => setIsInviting(false)} />
      <PersonDrawer
        person={data?.people.find(({ person_id }) => person_id === openId)}
        isAdmin={isAdmin}
        onClose={() => setOpenId(null)}
      />
    </ListPage>
  );
}

function PersonRow({ person, onOpen }: { person: Person; onOpen: (() => void) | undefined }) {
  const className = 'flex w-full items-center gap-3.5 px-4 py-3.5 text-left sm:px-5';
  return (
    <li>
      {onOpen ? (
        <button
          onClick={onOpen}
          className={`${className} transition-colors hover:bg-hover focus-visible:-outline-offset-2`}
        >
          <PersonFacts person={person} />
        </button>
      ) : (
        <div className={className}>
          <PersonFacts person={person} />
        </div>
      )}
    </li>
  );
}

function PersonFacts({ person: { name, email, role, is_you, last_seen_at } }: { person: Person }) {
  return (
    <>
      <Avatar name={name || email} />
      <span className="min-w-0 flex-1">
        <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span className="truncate text-sm font-medium">{name || email}</span>
          {is_you && <Tag>You</Tag>}
        </span>
        <span className="mt-0.5 flex flex-wrap gap-x-3 text-[13px] text-faint">
          {name && <span className="truncate">{email}</span>}
          <span>
            {last_seen_at ? (
              <>
                Last seen <Ago at={last_seen_at} />
              </>
            ) : (
              'Not seen yet'
            )}
          </span>
        </span>
      </span>
      <Tag tone={role === 'member' ? 'plain' : 'go'}>{roleWords[role]}</Tag>
    </>
  );
}

/** The initials of a name, as an avatar. */
function Avatar({ name }: { name: string }) {
  const letters = name
    .split(/[\s@.]+/)
    .slice(0, 2)
    .map((part) => part.charAt(0).toUpperCase())
    .join('');
  return (
    <span
      aria-hidden
      className="grid size-9 shrink-0 place-items-center rounded-full bg-mark text-[13px] font-semibold text-ink"
    >
      {letters}
    </span>
  );
}
