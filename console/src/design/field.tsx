import { ChevronDown } from 'lucide-react';
import { useId, type ComponentProps, type ReactNode } from 'react';
import { joinClassNames } from './class-names.ts';

const boxClass =
  'w-full rounded-lg border border-edge bg-surface text-sm text-ink max-sm:text-base placeholder:text-faint transition-colors hover:border-faint focus-visible:outline-offset-0 disabled:opacity-60';

type FieldLabelProps = { label: string; hint?: ReactNode; error?: string | undefined; isLabelHidden?: boolean };

/** A labelled line of text. */
export function TextField({
  label,
  hint,
  error,
  isLabelHidden,
  className,
  ...rest
}: FieldLabelProps & ComponentProps<'input'>) {
  const id = useId();
  return (
    <FieldLabelProps id={id} {...{ label, hint, error, isLabelHidden }}>
      <input
        id={id}
        aria-describedby={hint || error ? `${id}-hint` : undefined}
        aria-invalid={error ? true : undefined}
        {...rest}
        className={joinClassNames(boxClass, 'h-9 px-3', className)}
      />
    </FieldLabelProps>
  );
}

/** A labelled text of several lines; grows with its content. */
export function TextArea({
  label,
  hint,
  error,
  isLabelHidden,
  className,
  ...rest
}: FieldLabelProps & ComponentProps<'textarea'>) {
  const id = useId();
  return (
    <FieldLabelProps id={id} {...{ label, hint, error, isLabelHidden }}>
      <textarea
        id={id}
        aria-describedby={hint || error ? `${id}-hint` : undefined}
        aria-invalid={error ? true : undefined}
        {...rest}
        className={joinClassNames(boxClass, 'field-sizing-content min-h-24 px-3 py-2 leading-relaxed', className)}
      />
    </FieldLabelProps>
  );
}

/** A labelled choice, with the browser's own control, which every phone and screen reader supports. */
export function SelectField({
  label,
  hint,
  error,
  isLabelHidden,
  className,
  children,
  ...rest
}: FieldLabelProps & ComponentProps<'select'>) {
  const id = useId();
  return (
    <FieldLabelProps id={id} {...{ label, hint, error, isLabelHidden }}>
      <span className="relative block">
        <select
          id={id}
          aria-describedby={hint || error ? `${id}-hint` : undefined}
          aria-invalid={error ? true : undefined}
          {...rest}
          className={joinClassNames(boxClass, 'h-9 appearance-none pr-8 pl-3', className)}
        >
          {children}
        </select>
        <ChevronDown className="pointer-events-none absolute top-2.5 right-2.5 size-4 text-faint" aria-hidden />
      </span>
    </FieldLabelProps>
  );
}

function FieldLabelProps({
  id,
  label,
  hint,
  error,
  isLabelHidden,
  children,
}: FieldLabelProps & { id: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <label htmlFor={id} className={isLabelHidden ? 'sr-only' : 'mb-1.5 block text-[13px] font-medium text-soft'}>
        {label}
      </label>
      {children}
      {(hint || error) && (
        <p id={`${id}-hint`} className={joinClassNames('mt-1.5 text-[13px]', error ? 'text-stop' : 'text-faint')}>
          {error ?? hint}
        </p>
      )}
    </div>
  );
}
