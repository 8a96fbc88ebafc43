import { useQuery } from '@tanstack/react-query';
import { UserPlus } from 'lucide-react';
import { useState } from 'react';
import { ConfirmDialog } from '../../design/confirm-dialog.tsx';
import { Button } from '../../design/button.tsx';
import { Card, Tag } from '../../design/page.tsx';
import { Section } from '../../design/section.tsx';
import { ErrorState, Skeleton } from '../../design/states.tsx';
import { Ago } from '../../design/time.tsx';
import { meQuery } from '../../entities/me.ts';
import { ChangeMemberDialog } from './change-member-dialog.tsx';
import { InviteDialog } from './invite-dialog.tsx';
import { buildMembersQuery, removeMember, type Member } from './member-requests.ts';
import { isAtLeast, type Brain } from '../../entities/brains.ts';
import { useCall } from '../../design/use-call.ts';

/** The members and invitations of a brain. Admins invite, change and remove. */
export function MembersTab({ brain }: { brain: Brain }) {
  const { data: members, error, isPending, refetch } = useQuery(buildMembersQuery(brain.id));
  const [isInviting, setIsInviting] = useState(false);
  const [changing, setChanging] = useState<Member | null>(null);
  const [removing, setRemoving] = useState<Member | null>(null);
  const isAdmin = isAtLeast(brain.access_level, 'admin');
  const groups = [
    { title: 'Members', members: members?.filter(({ status }) => status === 'member') ?? [] },
    { title: 'Invited', members: members?.filter(({ status }) => status === 'invited') ?? [] },
  ];
  if (isPending) return <Skeleton label="Loading members" />;
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  return (
    <div className="space-y-8">
      {groups.map(({ title, members }, at) => (
        <div key={title} hidden={!members.length && at > 0}>
          <Section
            title={title}
            action={
              isAdmin &&
              at === 0 && (
                <Button icon={<UserPlus className="size-4" aria-hidden />} onClick={() => setIsInviting(true)}>
                  Invite
                </Button>
              )
            }
          >
            <Card>
              <ul className="divide-y divide-line">
                {members.map((member) => (
                  <MemberRow
                    key={member.user_id}
                    {...{ member, isAdmin }}
                    onChange={() => setChanging(member)}
                    onRemove={() => setRemoving(member)}
                  />
                ))}
              </ul>
            </Card>
          </Section>
        </div>
      ))}
      <InviteDialog brain={brain} isOpen={isInviting} onClose={() => setIsInviting(false)} />
      {changing && <ChangeMemberDialog brain={brain} member={changing} onClose={() => setChanging(null)} />}
      <RemoveDialog brain={brain} member={removing} onClose={() => setRemoving(null)} />
    </div>
  );
}

type RowProps = { member: Member; isAdmin: boolean; onChange: () => void; onRemove: () => void };

function MemberRow({ member, isAdmin, onChange, onRemove }: RowProps) {
  const { data: me } = useQuery(meQuery);
  const isMe = member.user_id === me?.person.id;
  const isFixed = member.inherited_from !== null || member.access_level === 'owner';
  const who = member.name ?? member.email;
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3.5 sm:px-5">
      <div className="min-w-48 flex-1">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm font-medium">
          <span className="min-w-0 wrap-anywhere">{who}</span>
          {isMe && <Tag>You</Tag>}
        </p>
        <p className="mt-0.5 text-[13px] text-faint wrap-anywhere">
          {member.name && <>{member.email} · </>}
          {member.inherited_from ? (
            `Through ${member.inherited_from.brain_name}`
          ) : (
            <>
              {member.cascades ? 'Includes sub-brains' : 'This brain only'} ·{' '}
              {member.status === 'invited' ? 'invited' : 'joined'} <Ago at={member.since} />
            </>
          )}
        </p>
      </div>
      <Tag tone={member.status === 'invited' ? 'wait' : 'plain'}>
        <span className="capitalize">{member.access_level}</span>
      </Tag>
      {!isFixed && (isAdmin || isMe) && (
        <div className="flex gap-1">
          {isAdmin && (
            <Button look="quiet" size="small" aria-label={`Change ${who}`} onClick={onChange}>
              Change
            </Button>
          )}
          <Button look="quiet" size="small" aria-label={`${removeWord(member, isMe)} ${who}`} onClick={onRemove}>
            {removeWord(member, isMe)}
          </Button>
        </div>
      )}
    </li>
  );
}

function removeWord({ status }: Member, isMe: boolean): string {
  if (status === 'invited') return 'Withdraw';
  return isMe ? 'Leave' : 'Remove';
}

function RemoveDialog({ brain, member, onClose }: { brain: Brain; member: Member | null; onClose: () => void }) {
  const removing = useCall(removeMember, {
    refreshes: ['brains'],
    success: ({ message }) => ['Removed', message],
    onSuccess: onClose,
    failure: 'Not removed',
  });
  const who = member?.name ?? member?.email ?? '';
  const isInvitation = member?.status === 'invited';
  return (
    <ConfirmDialog
      isOpen={member !== null}
      onClose={onClose}
      title={isInvitation ? `Withdraw the invitation for ${who}?` : `Remove ${who} from ${brain.name}?`}
      description={isInvitation ? 'The invitation link stops working.' : 'Their memories stay.'}
      act={isInvitation ? 'Withdraw' : 'Remove'}
      isBusy={removing.isBusy}
      onConfirm={() => member && removing.call({ brain_id: brain.id, user_id: member.user_id })}
    />
  );
}
