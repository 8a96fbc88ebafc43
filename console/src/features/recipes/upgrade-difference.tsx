import type { Output } from '#sdk';
import { SourceChanges } from '../automations/source-changes.tsx';
import { describeField, formatValue, isCode } from './upgrade-words.ts';

type Upgrade = Output<'check_recipe_upgrade'>;
type Difference = Pick<Upgrade, 'change_summary' | 'kept'>;

/** What an upgrade changes, with the values before and after, and what it keeps. */
export function UpgradeDifference({ of: upgrade }: { of: Upgrade }) {
  const { parts, added, standalone } = upgrade;
  const changed = parts.filter(({ change_summary, kept }) => change_summary.length > 0 || kept.length > 0);
  const isSame = !upgrade.change_summary.length && !upgrade.kept.length && !changed.length && !added.length;
  return (
    <div className="max-h-[50vh] space-y-4 overflow-y-auto text-sm" role="region" aria-label="Difference" tabIndex={0}>
      {isSame && <p className="text-soft">Nothing changes but the version.</p>}
      <Fields of={upgrade} />
      {changed.map((part) => (
        <section key={part.entity_id} className="space-y-2">
          <h3 className="font-medium">
            <bdi>{part.name}</bdi> {part.installed === part.latest ? '' : `to ${part.latest}`}
          </h3>
          <Fields of={part} />
        </section>
      ))}
      {added.length > 0 && <p>Also installs {added.join(', ')}.</p>}
      {standalone.length > 0 && (
        <p>{standalone.map(({ name }) => name).join(', ')} no longer belongs to the bundle, and stays.</p>
      )}
    </div>
  );
}

function Fields({ of: { change_summary: changes, kept } }: { of: Difference }) {
  return (
    <>
      {changes.length > 0 && (
        <dl className="space-y-2">
          {changes.map(({ field, change, from, to }) => (
            <div key={field}>
              <dt className="text-soft">{describeField(field)}</dt>
              <dd className="wrap-anywhere">
                <Change change={change} from={from} to={to} />
              </dd>
            </div>
          ))}
        </dl>
      )}
      {kept.length > 0 && (
        <div>
          <p className="font-medium">Yours stays, although the new version changed it, too:</p>
          <ul className="list-disc space-y-1 pl-5 wrap-anywhere">
            {kept.map(({ field, theirs }) => (
              <li key={field}>
                {describeField(field)}
                {isCode(theirs) ? '' : `: the new version has ${formatValue(theirs)}`}
              </li>
            ))}
          </ul>
        </div>
      )}
    </>
  );
}

type ChangeProps = { change: Difference['change_summary'][number]['change']; from: unknown; to: unknown };

function Change({ change, from, to }: ChangeProps) {
  if (from === undefined && to === undefined) return <>Changes. Only its person sees the values.</>;
  if (isCode(to))
    return <SourceChanges label="Changes to the source" from={isCode(from) ? from.source : ''} to={to.source} />;
  if (change === 'added') return <ins className="font-medium no-underline">New: {formatValue(to)}</ins>;
  if (change === 'removed') return <del className="text-soft">{formatValue(from)}</del>;
  return (
    <>
      <del className="text-soft">{formatValue(from)}</del>
      <span aria-hidden> → </span>
      <ins className="font-medium no-underline">{formatValue(to)}</ins>
    </>
  );
}
