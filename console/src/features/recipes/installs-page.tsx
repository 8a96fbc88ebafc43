import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { PackageOpen } from 'lucide-react';
import { Button } from '../../design/button.tsx';
import { formatCount } from '../../design/format-count.ts';
import { ListPage } from '../../design/list-page.tsx';
import { MoreMenu } from '../../design/more-menu.tsx';
import { Card, Tag } from '../../design/page.tsx';
import { Section } from '../../design/section.tsx';
import { Ago } from '../../design/time.tsx';
import { useCall } from '../../design/use-call.ts';
import { useHasScope } from '../../entities/me.ts';
import { findUpdates } from './find-updates.ts';
import { useInstallActions } from './install-actions.tsx';
import { KindSign } from './kind-sign.tsx';
import {
  buildRecipesQuery,
  installRefreshes,
  installsQuery,
  recoverInstall,
  uninstalledQuery,
  type Install,
  type UninstalledEntity,
} from './requests.ts';
import { findMadePage, isReading, kindWords, stateWords } from './words.ts';

/** What was installed: how it is, updates, and what can be recovered. */
export function InstallsPage() {
  const { data: recipes = [] } = useQuery(buildRecipesQuery({}));
  const { data: installs = [] } = useQuery(installsQuery);
  const updates = findUpdates(installs, recipes);
  return (
    <ListPage
      title="Installed"
      lead="What was installed from the codex. You can change everything; updates keep your changes."
      noun="installs"
      query={useQuery(installsQuery)}
      getKey={({ install_id }) => install_id}
      getSearchText={({ name, slug }) => `${name} ${slug}`}
      renderRow={(install) => <InstallRow of={install} update={updates.get(install.install_id)} />}
      empty={{
        icon: <PackageOpen />,
        title: 'Nothing installed yet',
        children: 'What you install from the codex appears here, with its state and updates.',
        action: (
          <Link to="/codex" search={{}} className="underline underline-offset-2">
            Open the codex
          </Link>
        ),
      }}
    >
      <Uninstalled />
    </ListPage>
  );
}

/** `update`: the newer version; null: only parts of the bundle have one; undefined: there is none. */
function InstallRow({ of: install, update }: { of: Install; update: string | null | undefined }) {
  const { name, slug, version, entity_kind: kind, failure, bundle_id } = install;
  const { actions, dialogs } = useInstallActions(install, update !== undefined);
  const page = findMadePage(install);
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-4 sm:px-5">
      <KindSign kind={kind} />
      <div className="min-w-0 flex-1 basis-36 sm:basis-52">
        <p className="truncate font-medium max-sm:whitespace-normal max-sm:wrap-anywhere">
          {page ? (
            <Link {...page} className="rounded underline-offset-2 hover:underline">
              <bdi>{name}</bdi>
            </Link>
          ) : (
            <bdi>{name}</bdi>
          )}
        </p>
        <p className="mt-0.5 text-sm wrap-anywhere text-soft">
          {kindWords[kind].label} ·{' '}
          <Link to="/codex/$slug" params={{ slug }} className="underline-offset-2 hover:underline">
            {slug} {version}
          </Link>
          {bundle_id !== null && ' · part of a bundle'}
        </p>
        {failure !== null && <p className="mt-1 text-sm wrap-anywhere text-stop">{failure}</p>}
      </div>
      <span className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-soft max-sm:order-last max-sm:w-full max-sm:pl-14 max-sm:empty:hidden">
        {isReading(install) && <Reading of={install} />}
        {update !== undefined && <Tag tone="wait">{update === null ? 'Update' : `Update to ${update}`}</Tag>}
      </span>
      <MoreMenu label={`More actions for ${name}`} actions={actions} />
      {dialogs}
    </li>
  );
}

/** How much an integration without code has read, and when. */
function Reading({ of: { slug, state, read_at, counters } }: { of: Install }) {
  const { tone, label } = stateWords[state];
  return (
    <>
      {state === 'needs_setup' && (
        <Link to="/codex/$slug" params={{ slug }} className="underline underline-offset-2">
          Set up
        </Link>
      )}
      <span>{formatCount(counters.pages, 'page')}</span>
      {read_at === null ? (
        <span>Not read yet</span>
      ) : (
        <span>
          Read <Ago at={read_at} />
        </span>
      )}
      <Tag tone={tone}>{label}</Tag>
    </>
  );
}

/** What was uninstalled within 7 days. */
function Uninstalled() {
  const { data: uninstalled = [] } = useQuery(uninstalledQuery);
  if (!uninstalled.length) return null;
  return (
    <div className="mt-10">
      <Section title="Uninstalled" lead="You can recover these for 7 days, with all they had.">
        <Card>
          <ul aria-label="Uninstalled" className="divide-y divide-line">
            {uninstalled.map((entity) => (
              <UninstalledRow key={entity.id} of={entity} />
            ))}
          </ul>
        </Card>
      </Section>
    </div>
  );
}

function UninstalledRow({ of: { id, kind, name, expires_at } }: { of: UninstalledEntity }) {
  const mayRecover = useHasScope('recipes:uninstall');
  const recovering = useCall(recoverInstall, {
    refreshes: installRefreshes,
    success: ({ name: recovered }) => [`${recovered} recovered`, 'It is paused.'],
    failure: 'It was not recovered',
  });
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3 sm:px-5">
      <span className="min-w-0 flex-1 basis-52 truncate text-sm">
        <bdi>{name}</bdi> <span className="text-soft">· {kindWords[kind].label}</span>
      </span>
      <span className="text-[13px] text-faint">
        Removed <Ago at={expires_at} />
      </span>
      {mayRecover && (
        <Button
          size="small"
          isBusy={recovering.isBusy}
          onClick={() => recovering.call(id)}
          aria-label={`Recover ${name}`}
        >
          Recover
        </Button>
      )}
    </li>
  );
}
