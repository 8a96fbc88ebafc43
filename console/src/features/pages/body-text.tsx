import { useState } from 'react';
import { Highlight } from '../../design/highlight.tsx';
import { foldQuotes, splitLinks } from './text-parts.ts';

const shownAtFirst = 12_000;

type Props = { text: string; terms: readonly string[]; hasQuotes?: boolean };

/** Untrusted text with links. Quoted mails are collapsed, and long texts are truncated. */
export function BodyText({ text, terms, hasQuotes = false }: Props) {
  const [isWhole, setIsWhole] = useState(false);
  const shown =
    isWhole || text.length <= shownAtFirst * 1.2 ? text : text.slice(0, shownAtFirst).replace(/[\ud800-\udbff]$/, '');
  const parts = hasQuotes ? foldQuotes(shown) : [{ isQuoted: false, text: shown }];
  if (!text.trim()) return <p className="text-sm text-faint">No text.</p>;
  return (
    <div className="text-[15px] leading-relaxed whitespace-pre-wrap wrap-anywhere">
      {parts.map((part, at) =>
        part.isQuoted ? (
          <Quoted key={at} text={part.text} terms={terms} />
        ) : (
          <Linked key={at} text={part.text} terms={terms} />
        ),
      )}
      {shown.length < text.length && (
        <button
          type="button"
          onClick={() => setIsWhole(true)}
          className="mt-3 block rounded-lg border border-edge px-3 py-1.5 text-sm font-medium hover:bg-hover"
        >
          Show the other {(text.length - shown.length).toLocaleString()} characters
        </button>
      )}
    </div>
  );
}

function Quoted({ text, terms }: Omit<Props, 'hasQuotes'>) {
  return (
    <details className="my-1">
      <summary className="inline-flex rounded-md border border-line bg-sunken px-2 py-0.5 text-[13px] text-faint select-none hover:text-ink">
        Quoted text
      </summary>
      <div className="mt-2 border-l-2 border-line pl-3 text-soft">
        <Linked text={text} terms={terms} />
      </div>
    </details>
  );
}

function Linked({ text, terms }: Omit<Props, 'hasQuotes'>) {
  return splitLinks(text).map(({ text: words, href }, at) =>
    href === null ? <Highlight key={at} text={words} terms={terms} /> : <OutsideLink key={at} href={href} />,
  );
}

const longestShown = 64;

/** A link out of here that shows where it leads: the true host, then the path, cut where it is long. */
export function OutsideLink({ href }: { href: string }) {
  const { host, pathname, search } = new URL(href);
  const rest = `${pathname === '/' && !search ? '' : pathname}${search}`;
  const shown = rest.length > longestShown ? `${rest.slice(0, longestShown)}…` : rest;
  return (
    <a
      href={href}
      target="_blank"
      rel="noopener noreferrer"
      title={href}
      className="underline decoration-edge underline-offset-4 hover:decoration-ink"
    >
      <span className="font-medium">{host}</span>
      <span className="text-soft">{shown}</span>
    </a>
  );
}
