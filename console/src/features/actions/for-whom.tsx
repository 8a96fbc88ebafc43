import { Tag } from '../../design/page.tsx';

/** Marks a draft of somebody else, who named the person to decide about it. */
export function ForWhom({ name }: { name: string }) {
  return (
    <span className="inline-flex max-w-32 shrink-0">
      <Tag>for {name}</Tag>
    </span>
  );
}
