import { joinClassNames } from '../../design/class-names.ts';
import { DrawerSection } from '../../design/drawer-section.tsx';
import type { Memory } from './requests.ts';

type Props = { memory: Memory; neighbours: readonly Memory[]; onOpen: (id: string) => void };

/** The turns just before and after, in order. */
export function MemoryThread({ memory, neighbours, onOpen }: Props) {
  const turns = neighbours.some(({ id }) => id === memory.id)
    ? neighbours
    : [...neighbours, memory].toSorted((one, other) => one.occurred_at.localeCompare(other.occurred_at));
  return (
    <DrawerSection title="Conversation">
      <ol className="space-y-px overflow-hidden rounded-xl border border-line text-sm">
        {turns.map(({ id, content, author }) => {
          const isThis = id === memory.id;
          const text = (
            <>
              {author && <span className="mr-1.5 font-medium">{author}</span>}
              <span className="wrap-anywhere">{content}</span>
            </>
          );
          return (
            <li key={id} aria-current={isThis ? 'true' : undefined} className={joinClassNames(isThis && 'bg-sunken')}>
              {isThis ? (
                <p className="line-clamp-2 px-3.5 py-2">{text}</p>
              ) : (
                <button
                  onClick={() => onOpen(id)}
                  className="block w-full px-3.5 py-2 text-left text-soft hover:bg-hover focus-visible:-outline-offset-2"
                >
                  <span className="line-clamp-3">{text}</span>
                </button>
              )}
            </li>
          );
        })}
      </ol>
    </DrawerSection>
  );
}
