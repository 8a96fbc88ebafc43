// The palette has a field instead of a title.
// oxlint-disable-next-line no-restricted-imports
import { Dialog as Base } from '@base-ui/react/dialog';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { ArrowRight, BrainCircuit, Search, type LucideIcon } from 'lucide-react';
import { useDeferredValue, useEffect, useState, type Dispatch, type KeyboardEvent, type SetStateAction } from 'react';
import { joinClassNames } from '../design/class-names.ts';
import { buildMemorySearchQuery } from '../features/memory/requests.ts';
import { useNavigation } from '../routing/navigation.ts';

type PaletteChoice = { id: string; label: string; hint: string; icon: LucideIcon; go: () => void };

type Props = { isOpen: boolean; setIsOpen: Dispatch<SetStateAction<boolean>> };

/** One field that goes anywhere and finds any memory; opened by ⌘K or Ctrl+K. */
export function CommandPalette({ isOpen, setIsOpen }: Props) {
  useEffect(() => {
    const listener = (event: globalThis.KeyboardEvent) => {
      if (event.key !== 'k' || !(event.metaKey || event.ctrlKey)) return;
      event.preventDefault();
      setIsOpen((wasOpen) => !wasOpen);
    };
    window.addEventListener('keydown', listener);
    return () => window.removeEventListener('keydown', listener);
  }, [setIsOpen]);
  return (
    <Base.Root open={isOpen} onOpenChange={setIsOpen}>
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-40 bg-black/35" />
        <Base.Popup
          aria-label="Go anywhere"
          className="fixed inset-x-3 top-[12dvh] z-50 mx-auto max-w-xl overflow-hidden rounded-2xl border border-line bg-raised shadow-lift"
        >
          <Palette onClose={() => setIsOpen(false)} />
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

function Palette({ onClose }: { onClose: () => void }) {
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const choices = useChoices(text.trim());
  const marked = Math.min(at, choices.length - 1);
  const choose = (choice: PaletteChoice | undefined) => {
    choice?.go();
    onClose();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) setAt((marked + step + choices.length) % choices.length);
    else if (event.key === 'Enter') choose(choices[marked]);
    else return;
    event.preventDefault();
  };
  return (
    <>
      <div className="flex items-center gap-3 border-b border-line px-4">
        <Search className="size-4 text-faint" aria-hidden />
        <input
          role="combobox"
          aria-label="Go to a page or find a memory"
          aria-expanded
          aria-controls="palette-choices"
          aria-activedescendant={choices[marked] && `palette-${choices[marked].id}`}
          autoFocus
          placeholder="Go to a page or find a memory…"
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            setAt(0);
          }}
          onKeyDown={onKeyDown}
          className="h-13 flex-1 bg-transparent text-[15px] outline-none placeholder:text-faint"
        />
      </div>
      <ul id="palette-choices" role="listbox" aria-label="Choices" className="max-h-[50dvh] overflow-y-auto p-2">
        {choices.map(({ id, label, hint, icon: Icon }, place) => (
          // The field keeps the focus and takes the keys.
          <li
            key={id}
            id={`palette-${id}`}
            role="option"
            aria-selected={place === marked}
            onPointerMove={() => setAt(place)}
            onClick={() => choose(choices[place])}
            className={joinClassNames(
              'flex h-10 cursor-pointer items-center gap-3 rounded-lg px-2.5 text-sm',
              place === marked && 'bg-line/70',
            )}
          >
            <Icon className="size-4 shrink-0 text-faint" aria-hidden />
            <span className="min-w-0 flex-1 truncate">{label}</span>
            <span className="text-xs text-faint">{hint}</span>
          </li>
        ))}
      </ul>
    </>
  );
}

/** Pages whose name fits, memories that say it, and the whole search. */
function useChoices(text: string): PaletteChoice[] {
  const navigate = useNavigate();
  const q = useDeferredValue(text);
  const { data } = useQuery({ ...buildMemorySearchQuery(q, {}), enabled: q.length > 1 });
  const find = (words: string) => () => void navigate({ to: '/memory', search: { q: words } });
  const pages = usePages().filter(({ label }) => label.toLowerCase().includes(text.toLowerCase()));
  const memories = text.length > 1 ? (data?.memories.slice(0, 5) ?? []) : [];
  return [
    ...pages.map(({ to, label, icon, key }) => ({
      id: to,
      label,
      hint: key ? `g ${key}` : '',
      icon,
      go: () => void navigate({ to }),
    })),
    ...memories.map(({ id, content, brain_name }) => ({
      id,
      label: content,
      hint: brain_name,
      icon: BrainCircuit,
      go: find(text),
    })),
    ...(text
      ? [{ id: 'search', label: `Search memories for “${text}”`, hint: '', icon: ArrowRight, go: find(text) }]
      : []),
  ];
}

/** Every page of the navigation. A tab has the name of its place before its own. */
function usePages() {
  return useNavigation().flatMap(({ places }) =>
    places.flatMap(({ label: place, entries }) =>
      entries.map((entry, at) => ({ ...entry, label: at ? `${place} › ${entry.label}` : place })),
    ),
  );
}
