import { Play } from 'lucide-react';
import { Button } from '../../design/button.tsx';
import { ConfirmButton } from '../../design/confirm-button.tsx';
import { TextArea, TextField } from '../../design/field.tsx';
import { FormDialog } from '../../design/form-dialog.tsx';
import { formatCount } from '../../design/format-count.ts';
import { Section } from '../../design/section.tsx';
import { useCall } from '../../design/use-call.ts';
import { ColumnFields, readColumns } from './column-fields.tsx';
import { runSkill, setSkills, type Board, type BoardSkill } from './requests.ts';

type Props = { board: Board; mayWrite: boolean };

/** Instructions for the language model that fill columns. */
export function BoardSkills({ board, mayWrite }: Props) {
  return (
    <Section title="Skills" lead="Instructions with which the language model fills empty cells.">
      <ul className="divide-y divide-line rounded-xl border border-line bg-surface">
        {board.skills.map((skill) => (
          <SkillRow key={typeof skill === 'string' ? skill : skill.name} {...{ board, skill, mayWrite }} />
        ))}
      </ul>
    </Section>
  );
}

function SkillRow({ board, skill, mayWrite }: Props & { skill: BoardSkill }) {
  const name = typeof skill === 'string' ? skill : skill.name;
  const running = useCall(() => runSkill(board.id, name), {
    refreshes: ['boards'],
    success: ({ changed, remaining }) => [
      changed ? `${formatCount(changed, 'row')} filled` : 'Nothing to fill',
      remaining ? `${formatCount(remaining, 'row')} left. Run it again.` : undefined,
    ],
    failure: 'The skill did not run',
  });
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3 sm:px-5">
      <span className="min-w-0 flex-1 basis-52">
        <span className="block truncate font-medium">
          <bdi>{name}</bdi>
        </span>
        <span className="mt-0.5 block text-sm wrap-anywhere text-soft">{describeSkill(skill)}</span>
      </span>
      {mayWrite && (
        <span className="flex gap-2">
          {typeof skill !== 'string' && (
            <Button
              size="small"
              icon={<Play className="size-4" aria-hidden />}
              isBusy={running.isBusy}
              aria-label={`Run ${name}`}
              onClick={() => running.call()}
            >
              Run
            </Button>
          )}
          <ConfirmButton
            label="Delete"
            about={`skill ${name}`}
            title="Delete this skill?"
            description="Cells that it filled stay."
            act="Delete skill"
            run={() =>
              setSkills(
                board,
                board.skills.filter((each) => each !== skill),
              )
            }
            refreshes={['boards']}
            success="Skill deleted"
          />
        </span>
      )}
    </li>
  );
}

function describeSkill(skill: BoardSkill): string {
  if (typeof skill === 'string') return 'A name for programs. It has no instruction to run.';
  const { description, dataset, reads, fills } = skill;
  const what = `Fills ${fills.join(', ')} in ${dataset} from ${reads.length ? reads.join(', ') : 'all columns'}.`;
  return description ? `${description} · ${what}` : what;
}

/** Adds a skill to a board. */
export function NewSkillDialog({
  board,
  filled,
  onClose,
}: {
  board: Board;
  filled: readonly string[];
  onClose: () => void;
}) {
  return (
    <FormDialog
      onClose={onClose}
      title="New skill"
      description="The language model sees the columns that you choose, and fills others. Each run counts toward your daily cap."
      act="Create skill"
      refreshes={['boards']}
      success="Skill created"
      run={(fields) =>
        setSkills(board, [
          ...board.skills,
          {
            name: fields.readText('name'),
            description: '',
            prompt: fields.readText('prompt'),
            dataset: fields.readText('dataset'),
            reads: readColumns(fields, 'reads'),
            fills: readColumns(fields, 'fills'),
          },
        ])
      }
    >
      <TextField name="name" label="Name" placeholder="Sort leads" required maxLength={200} autoFocus />
      <TextArea
        name="prompt"
        label="Instruction"
        placeholder="Say whether the mail is an order, a question or spam."
        required
        maxLength={20_000}
      />
      <ColumnFields
        datasets={board.data.datasets}
        filled={filled}
        lists={[
          { field: 'reads', label: 'Columns it sees (none: all)' },
          { field: 'fills', label: 'Columns it fills' },
        ]}
      />
    </FormDialog>
  );
}
