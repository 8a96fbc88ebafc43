/** The text of a step. Text in backquotes is shown as code. */
export function Instruction({ text }: { text: string }) {
  return text.split('`').map((part, at) =>
    at % 2 ? (
      <code key={part} className="rounded bg-sunken px-1 py-0.5 font-mono text-[13px] text-ink">
        {part}
      </code>
    ) : (
      part
    ),
  );
}
