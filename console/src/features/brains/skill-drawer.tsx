import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { formatErrorMessage } from '../../api/api-error.ts';
import { Button } from '../../design/button.tsx';
import { Drawer } from '../../design/drawer.tsx';
import { SelectField, TextArea } from '../../design/field.tsx';
import { ErrorState, Notice, Skeleton } from '../../design/states.tsx';
import { formatExactMoment } from '../../design/time.tsx';
import { notifySuccess } from '../../design/toasts.tsx';
import { saveSkill, buildSkillQuery, buildSkillVersionsQuery, type Skill } from './skill-requests.ts';
import { useCall } from '../../design/use-call.ts';

/** The text of a skill in any version, and an editor for the next one. */
export function SkillDrawer({ skill, onClose }: { skill: Skill | null; onClose: () => void }) {
  return (
    <Drawer isOpen={skill !== null} onClose={onClose} title={skill?.name ?? ''} description={skill?.description}>
      {skill && <Content key={skill.skill_id} skillId={skill.skill_id} />}
    </Drawer>
  );
}

function Content({ skillId }: { skillId: string }) {
  const [version, setVersion] = useState<number | undefined>(undefined);
  const [isWriting, setIsWriting] = useState(false);
  const { data: skill, error, isPending, refetch } = useQuery(buildSkillQuery(skillId, version));
  const { data: versions = [] } = useQuery(buildSkillVersionsQuery(skillId));
  if (isPending) return <Skeleton label="Loading skill" />;
  if (error || !skill) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (isWriting)
    return (
      <WriteForm
        skillId={skillId}
        content={skill.content}
        onDone={() => {
          setIsWriting(false);
          setVersion(undefined);
        }}
      />
    );
  return (
    <div className="space-y-4">
      <div className="flex flex-col gap-3 sm:flex-row sm:items-end">
        <div className="min-w-0 flex-1">
          <SelectField
            label="Version"
            value={version ?? ''}
            onChange={(event) => setVersion(Number(event.target.value) || undefined)}
          >
            {versions.map((each, at) => (
              <option key={each.version} value={at ? each.version : ''}>
                {each.version} · {each.saved_by} · {formatExactMoment(each.created_at)}
              </option>
            ))}
          </SelectField>
        </div>
        <Button onClick={() => setIsWriting(true)}>Edit</Button>
      </div>
      <pre className="rounded-xl border border-line bg-sunken px-4 py-3.5 font-sans text-sm leading-relaxed whitespace-pre-wrap wrap-anywhere">
        {skill.content}
      </pre>
    </div>
  );
}

function WriteForm({ skillId, content, onDone }: { skillId: string; content: string; onDone: () => void }) {
  const [text, setText] = useState(content);
  const saving = useCall(saveSkill, {
    refreshes: [['brains', 'skills']],
    onSuccess: ({ skill }) => {
      if (skill) notifySuccess(`Version ${skill.version} saved`, 'Agents use it from now on.');
      onDone();
    },
  });
  return (
    <form
      className="space-y-4"
      onSubmit={(event) => {
        event.preventDefault();
        saving.call({ skill_id: skillId, content: text.trim() });
      }}
    >
      {saving.error && <Notice tone="stop">{formatErrorMessage(saving.error)}</Notice>}
      <TextArea
        label="Instructions"
        required
        autoFocus
        maxLength={50_000}
        className="min-h-64"
        value={text}
        onChange={(event) => setText(event.target.value)}
        hint="Agents choose a skill by its first line. Earlier versions are kept."
      />
      <div className="flex gap-2">
        <Button look="primary" type="submit" disabled={!text.trim() || text === content} isBusy={saving.isBusy}>
          Save
        </Button>
        <Button look="quiet" onClick={onDone}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
