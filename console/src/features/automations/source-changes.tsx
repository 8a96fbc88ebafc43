import { diffLines } from 'diff';

/** Two sources, line by line. */
export function SourceChanges({ label, from, to }: { label: string; from: string; to: string }) {
  return (
    <pre
      aria-label={label}
      role="region"
      tabIndex={0}
      className="mt-3 overflow-x-auto rounded-xl bg-sunken p-4 font-mono text-xs leading-relaxed"
    >
      {diffLines(ensureFinalLineBreak(from), ensureFinalLineBreak(to)).map(({ value, added, removed }, index) => (
        <span key={index} className={added ? 'bg-go-wash text-go' : removed ? 'bg-stop-wash text-stop' : 'text-soft'}>
          {value.replaceAll(/^/gm, added ? '+ ' : removed ? '- ' : '  ').replace(/\n. $/, '\n')}
        </span>
      ))}
    </pre>
  );
}

/** Adds a final line break, so that an appended line does not mark the last one as changed. */
function ensureFinalLineBreak(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}
