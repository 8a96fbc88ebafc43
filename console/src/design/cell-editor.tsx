import { useEffect, useRef, useState, type KeyboardEvent } from 'react';
import { joinClassNames } from './class-names.ts';

/** Where the focus goes after an edit; `leave`: it has gone elsewhere already. */
export type EditMove = 'leave' | 'stay' | 'down' | 'right' | 'left';

type Props = {
  label: string;
  text: string;
  isNumber: boolean;
  /** Why the text does not fit; null: it does. */
  check: (text: string) => string | null;
  /** Called once, with the text; null: the edit was cancelled. */
  onDone: (text: string | null, move: EditMove) => void;
};

/** The text field in a cell. Enter and Tab save, Escape does not; a text that does not fit stays open and says why. */
export function CellEditor({ label, text: given, isNumber, check, onDone }: Props) {
  const field = useRef<HTMLInputElement>(null);
  const isOver = useRef(false);
  const [text, setText] = useState(given);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => field.current?.focus(), []);
  const end = (value: string | null, move: EditMove) => {
    if (isOver.current) return;
    const why = value === null ? null : check(value);
    if (why !== null) return setProblem(why);
    isOver.current = true;
    onDone(value, move);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') end(null, 'stay');
    else if (event.key === 'Enter' && !event.nativeEvent.isComposing) end(text, 'down');
    else if (event.key === 'Tab') end(text, event.shiftKey ? 'left' : 'right');
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <span data-editor className="block">
      <input
        ref={field}
        aria-label={label}
        aria-invalid={problem !== null || undefined}
        aria-describedby={problem === null ? undefined : 'cell-problem'}
        inputMode={isNumber ? 'decimal' : 'text'}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setProblem(null);
        }}
        onKeyDown={onKeyDown}
        onBlur={() => end(check(text) === null ? text : null, 'leave')}
        className={joinClassNames(
          '-my-1 block h-7 w-full min-w-24 rounded bg-raised px-1 text-sm outline-2 outline-go max-sm:text-base aria-invalid:outline-stop',
          isNumber && 'text-end',
        )}
      />
      {problem !== null && (
        <span id="cell-problem" role="alert" className="mt-1.5 block text-xs text-stop">
          {problem}
        </span>
      )}
    </span>
  );
}
