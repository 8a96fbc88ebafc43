import { Loader2 } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import { joinClassNames } from './class-names.ts';

const looks = {
  /** The only coloured button: it sends or allows something. */
  go: 'bg-go-fill text-go-ink hover:brightness-110 shadow-card',
  /** Sends or allows an act that deletes, shares or reaches new people. */
  danger: 'bg-stop text-invert hover:brightness-110 shadow-card',
  primary: 'bg-ink text-invert hover:opacity-88 shadow-card',
  plain: 'bg-surface text-ink border border-edge hover:bg-hover shadow-card',
  quiet: 'text-soft hover:bg-hover hover:text-ink',
  stop: 'bg-surface text-stop border border-edge hover:bg-stop-wash',
};

const sizes = { small: 'h-8 px-2.5 text-[13px] gap-1.5', normal: 'h-9 px-3.5 text-sm gap-2', large: 'h-11 px-5 gap-2' };

export type ButtonLook = keyof typeof looks;

type Props = ComponentProps<'button'> & {
  look?: ButtonLook;
  size?: keyof typeof sizes;
  isBusy?: boolean;
  icon?: ReactNode;
};

/** The class names of a button, for links that look like one. */
export function getButtonClass(look: ButtonLook = 'plain', size: keyof typeof sizes = 'normal'): string {
  return joinClassNames(
    'inline-flex shrink-0 items-center justify-center rounded-lg font-medium whitespace-nowrap select-none transition-[background,opacity,filter] duration-100 disabled:opacity-55 disabled:pointer-events-none',
    looks[look],
    sizes[size],
  );
}

/** A button; while busy it keeps its width, shows a spinner and cannot be pressed. */
export function Button({ look, size, isBusy = false, icon, className, children, disabled, ...rest }: Props) {
  return (
    <button
      type="button"
      {...rest}
      disabled={disabled || isBusy}
      aria-busy={isBusy || undefined}
      className={joinClassNames(getButtonClass(look, size), className)}
    >
      {isBusy ? <Loader2 className="size-4 animate-spin" aria-hidden /> : icon}
      {children}
    </button>
  );
}
