import { Card } from '../../design/page.tsx';
import { Section } from '../../design/section.tsx';

/** How far back a sync reads, and what it does not read. */
export function Coverage({ goesBack, notRead }: { goesBack: string; notRead: readonly string[] }) {
  return (
    <Section title="What a sync reads">
      <Card className="space-y-3 px-5 py-4 text-sm">
        <p>{goesBack}</p>
        {notRead.length > 0 && (
          <>
            <h3 className="font-medium">Not read</h3>
            <ul className="list-disc space-y-1 pl-5 text-faint">
              {notRead.map((kind) => (
                <li key={kind}>{kind}</li>
              ))}
            </ul>
          </>
        )}
      </Card>
    </Section>
  );
}
