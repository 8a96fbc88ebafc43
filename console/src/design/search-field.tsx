import { Search, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Kbd } from './kbd.tsx';
import { useKeys } from './use-keys.ts';

type SearchFieldProps = { label: string; value: string; onChange: (value: string) => void };

/** A search field that reports its text after a pause in typing. `/` focuses it, Escape clears it. */
export function SearchField({ label, value, onChange }: SearchFieldProps) {
  const [text, setText] = useState(value);
  const [known, setKnown] = useState(value);
  const field = useRef<HTMLInputElement>(null);
  useKeys({ '/': () => field.current?.focus() });
  // The address changed from outside (back button, a link): the field follows.
  if (value !== known) {
    setKnown(value);
    if (value !== text.trim()) setText(value);
  }
  useEffect(() => {
    if (text.trim() === value) return;
    const timer = setTimeout(() => onChange(text.trim()), 180);
    return () => clearTimeout(timer);
  });
  return (
    <div className="relative min-w-0 flex-1">
      <Search className="pointer-events-none absolute top-2.5 left-3 size-4 text-faint" aria-hidden />
      <input
        ref={field}
        type="search"
        aria-label={label}
        placeholder={`${label}…`}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return;
          setText('');
          if (!text) event.currentTarget.blur();
        }}
        className="h-9 w-full appearance-none rounded-lg border border-edge bg-surface pr-10 pl-9 text-sm shadow-card max-sm:text-base placeholder:text-faint hover:border-faint focus-visible:outline-offset-0 [&::-webkit-search-cancel-button]:hidden"
      />
      <span className="absolute top-1 right-1.5 grid h-7 place-items-center text-faint">
        {text ? (
          <button aria-label="Clear search" onClick={() => setText('')} className="grid size-7 place-items-center">
            <X className="size-4" aria-hidden />
          </button>
        ) : (
          <Kbd>/</Kbd>
        )}
      </span>
    </div>
  );
}
