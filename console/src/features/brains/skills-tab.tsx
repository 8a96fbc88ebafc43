import { useQuery } from '@tanstack/react-query';
import { GraduationCap, Plus } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../design/button.tsx';
import { Card, Tag } from '../../design/page.tsx';
import { Section } from '../../design/section.tsx';
import { EmptyState, ErrorState, Skeleton } from '../../design/states.tsx';
import { isAtLeast, type Brain } from '../../entities/brains.ts';
import { NewSkillDialog } from './new-skill-dialog.tsx';
import { SkillDrawer } from './skill-drawer.tsx';
import { SuggestionList } from './suggestion-list.tsx';
import {
  updateSkillAssignment,
  skillLibraryQuery,
  buildSkillsInForceQuery,
  type SkillChange,
  type Skill,
} from './skill-requests.ts';
import { useCall } from '../../design/use-call.ts';

/** The skills active on a brain, and the library from which its admins assign more. */
export function SkillsTab({ brain }: { brain: Brain }) {
  const inForce = useQuery(buildSkillsInForceQuery(brain.id));
  const library = useQuery(skillLibraryQuery);
  const [opened, setOpened] = useState<Skill | null>(null);
  const [isAdding, setIsAdding] = useState(false);
  const isAdmin = isAtLeast(brain.access_level, 'admin');
  const error = inForce.error ?? library.error;
  if (error)
    return <ErrorState error={error} onRetry={() => void Promise.all([inForce.refetch(), library.refetch()])} />;
  if (!inForce.data || !library.data) return <Skeleton label="Loading skills" />;
  const isHere = (skill: Skill) =>
    inForce.data.some(({ skill_id }) => skill_id === skill.skill_id) || findOwnAssignment(skill, brain) !== undefined;
  const here = library.data.filter(isHere);
  const others = library.data.filter((skill) => !isHere(skill));
  return (
    <div className="space-y-8">
      <SuggestionList brain={brain} about="skills" />
      <Section
        title="On this brain"
        lead="Instructions that an agent loads when they fit its task. Sub-brains have them too."
        action={
          <Button icon={<Plus className="size-4" aria-hidden />} onClick={() => setIsAdding(true)}>
            New skill
          </Button>
        }
      >
        <Card>
          {!here.length && (
            <EmptyState icon={<GraduationCap />} title="No skills on this brain">
              Create one, or add one from the library of your workspace.
            </EmptyState>
          )}
          <SkillList skills={here} {...{ brain, isAdmin }} onOpen={setOpened} />
        </Card>
      </Section>
      {others.length > 0 && (
        <Section title="Library" lead="Skills of your workspace that are not on this brain.">
          <Card>
            <SkillList skills={others} {...{ brain, isAdmin }} onOpen={setOpened} />
          </Card>
        </Section>
      )}
      <SkillDrawer skill={opened} onClose={() => setOpened(null)} />
      <NewSkillDialog brain={isAdmin ? brain : undefined} isOpen={isAdding} onClose={() => setIsAdding(false)} />
    </div>
  );
}

function findOwnAssignment(skill: Skill, brain: Brain) {
  return skill.assigned_to.find(({ brain_id }) => brain_id === brain.id);
}

type ListProps = { skills: readonly Skill[]; brain: Brain; isAdmin: boolean; onOpen: (skill: Skill) => void };

function SkillList({ skills, brain, isAdmin, onOpen }: ListProps) {
  const placing = useCall(updateSkillAssignment, { refreshes: [['brains', 'skills']], failure: 'Not changed' });
  const placed = (skill: Skill, action: SkillChange['action']) => () =>
    placing.call({ action, skill_id: skill.skill_id, brain_id: brain.id });
  return (
    <ul className="divide-y divide-line">
      {skills.map((skill) => {
        const own = findOwnAssignment(skill, brain);
        return (
          <li key={skill.skill_id} className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3.5 sm:px-5">
            <button onClick={() => onOpen(skill)} className="min-w-48 flex-1 rounded text-left hover:underline">
              <span className="block text-sm font-medium wrap-anywhere">{skill.name}</span>
              <span className="mt-0.5 line-clamp-2 text-sm text-soft wrap-anywhere">{skill.description}</span>
            </button>
            <SkillStatus skill={skill} brain={brain} />
            {isAdmin && (
              <div className="flex gap-1">
                {own && (
                  <Button
                    look="quiet"
                    size="small"
                    disabled={placing.isBusy}
                    aria-label={`${own.is_enabled ? 'Turn off' : 'Turn on'} ${skill.name}`}
                    onClick={placed(skill, own.is_enabled ? 'disable' : 'enable')}
                  >
                    {own.is_enabled ? 'Turn off' : 'Turn on'}
                  </Button>
                )}
                <Button
                  look="quiet"
                  size="small"
                  disabled={placing.isBusy}
                  aria-label={`${own ? 'Remove' : 'Add'} ${skill.name}`}
                  onClick={placed(skill, own ? 'unassign' : 'assign')}
                >
                  {own ? 'Remove' : 'Add'}
                </Button>
              </div>
            )}
          </li>
        );
      })}
    </ul>
  );
}

function SkillStatus({ skill, brain }: { skill: Skill; brain: Brain }) {
  const { data: inForce } = useQuery(buildSkillsInForceQuery(brain.id));
  const own = findOwnAssignment(skill, brain);
  const above = inForce
    ?.find(({ skill_id }) => skill_id === skill.skill_id)
    ?.assigned_to.find(({ brain_id }) => brain_id !== null && brain_id !== brain.id);
  if (own) return <Tag tone={own.is_enabled ? 'go' : 'plain'}>{own.is_enabled ? 'On' : 'Off'}</Tag>;
  return above?.brain_name ? <Tag>From {above.brain_name}</Tag> : null;
}
