import { Link } from '@tanstack/react-router';
import { getButtonClass } from '../../design/button.tsx';
import { BrainField } from '../../entities/brain-field.tsx';

const pages = [
  { name: 'duplicates', label: 'Duplicates', to: '/memory/clean-up', hidden: undefined },
  { name: 'contradictions', label: 'Contradictions', to: '/memory/clean-up/contradictions', hidden: undefined },
  { name: 'hidden', label: 'Hidden', to: '/memory/clean-up/contradictions', hidden: true },
] as const;

type Props = {
  chosen: (typeof pages)[number]['name'];
  brain: string | undefined;
  onBrain: (brain: string | undefined) => void;
};

/** What can be cleaned up, as chips, and of which brain. */
export function CleanUpFilters({ chosen, brain, onBrain }: Props) {
  return (
    <>
      <nav aria-label="What to clean up" className="flex flex-1 flex-wrap gap-1">
        {pages.map(({ name, label, to, hidden }) => (
          <Link
            key={name}
            to={to}
            search={{ brain, ...(hidden && { hidden }) }}
            aria-current={name === chosen ? 'page' : undefined}
            activeOptions={{ exact: true }}
            className={getButtonClass(name === chosen ? 'plain' : 'quiet', 'small')}
          >
            {label}
          </Link>
        ))}
      </nav>
      <div className="w-full sm:w-56">
        <BrainField
          label="Brain"
          isLabelHidden
          value={brain ?? ''}
          onChange={(event) => onBrain(event.target.value || undefined)}
        >
          <option value="">All brains</option>
        </BrainField>
      </div>
    </>
  );
}
