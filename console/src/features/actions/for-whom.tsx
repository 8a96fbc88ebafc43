import { Tag } from '../../design/page.tsx';

/** Marks a draft of another person, who made the reader a delegate. */
export function ForWhom({ name }: { name: string }) {
  return (
    <span className="inline-flex max-w-32 shrink-0">
      <Tag>for {name}</Tag>
    </span>
  );
}
