import { FormDialog } from '../../design/form-dialog.tsx';
import { AccessFields, parseAccess } from './access-fields.tsx';
import { changeMemberAccess, type Member } from './member-requests.ts';
import { accessLevels, type Brain } from '../../entities/brains.ts';

type Props = { brain: Brain; member: Member; onClose: () => void };

/** Changes the role of a member or an invitation. */
export function ChangeMemberDialog({ brain, member, onClose }: Props) {
  const mayHandOn = brain.access_level === 'owner' && member.status === 'member';
  return (
    <FormDialog
      onClose={onClose}
      title={member.name ?? member.email ?? ''}
      act="Save"
      run={({ data }) =>
        changeMemberAccess({ brain_id: brain.id, user_id: member.user_id, ...parseAccess(data, accessLevels) })
      }
      refreshes={['brains']}
      success="Saved"
    >
      <AccessFields
        levels={accessLevels.filter((level) => level !== 'owner' || mayHandOn)}
        level={member.access_level}
        cascades={member.cascades}
      />
    </FormDialog>
  );
}
