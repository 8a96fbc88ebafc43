import { Check, Copy } from 'lucide-react';
import { useState } from 'react';
import { Button } from './button.tsx';
import { joinClassNames } from './class-names.ts';

/** Text to copy: one line, or a block of code with its file name. */
export function CopyBox(props: { text: string; label: string; title?: string; isBlock?: boolean }) {
  const { text, label, title, isBlock = false } = props;
  return (
    <div className="overflow-hidden rounded-xl border border-line bg-sunken">
      {title && (
        <div className="flex items-center justify-between border-b border-line py-1 pr-1 pl-3.5">
          <span className="truncate font-mono text-xs text-soft">{title}</span>
          <CopyButton text={text} label={label} />
        </div>
      )}
      <div className="flex items-center">
        <pre
          role="group"
          aria-label={label}
          className={joinClassNames(
            'min-w-0 flex-1 px-3.5 font-mono text-[13px] whitespace-pre-wrap',
            isBlock ? 'py-3 leading-relaxed break-all' : 'py-2.5 wrap-anywhere',
          )}
        >
          {text}
        </pre>
        {!title && (
          <div className="pr-1">
            <CopyButton text={text} label={label} />
          </div>
        )}
      </div>
    </div>
  );
}

function CopyButton({ text, label }: { text: string; label: string }) {
  const [isCopied, setIsCopied] = useState(false);
  const copy = async () => {
    await copyText(text);
    setIsCopied(true);
    setTimeout(() => setIsCopied(false), 1_600);
  };
  return (
    <div className="relative">
      <Button look="quiet" size="small" onClick={() => void copy()} aria-label={`Copy ${label}`}>
        {isCopied ? <Check className="size-3.5 text-go" aria-hidden /> : <Copy className="size-3.5" aria-hidden />}
        {isCopied ? 'Copied' : 'Copy'}
      </Button>
      {/* Beside the button: a button with a live region in it stays reachable behind an open dialog. */}
      <span aria-live="polite" className="sr-only">
        {isCopied && `Copied ${label}`}
      </span>
    </div>
  );
}

/** The clipboard needs a secure context; a console on plain http in a home network has none. */
async function copyText(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const area = document.createElement('textarea');
  area.value = text;
  document.body.append(area);
  area.select();
  document.execCommand('copy');
  area.remove();
}
