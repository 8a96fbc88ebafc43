import { useQuery } from '@tanstack/react-query';
import { Smartphone, Unlink } from 'lucide-react';
import { Button, getButtonClass } from '../../design/button.tsx';
import { Card } from '../../design/page.tsx';
import { Section } from '../../design/section.tsx';
import { ErrorState, Notice, Skeleton } from '../../design/states.tsx';
import { Ago, formatExactMoment, useNow } from '../../design/time.tsx';
import { QrCode } from '../../design/qr-code.tsx';
import {
  linkPhone,
  telegramQuery,
  unlinkPhone,
  type PhoneCode,
  type TelegramLink,
  type TelegramLinks,
} from './requests.ts';
import { useCall } from '../../design/use-call.ts';

/** The person's phone at each of their bots, the way to link it, and what can be texted. */
export function PhoneSection() {
  const { data, error, refetch } = useQuery(telegramQuery);
  return (
    <Section
      title="Your phone"
      lead="Connect it, then text the bot to store memories and ask questions. The bot answers nobody else."
    >
      <Card>
        {!data && !error && <Skeleton rows={1} label="Loading your phone" />}
        {error && <ErrorState error={error} onRetry={() => void refetch()} />}
        <ul className="divide-y divide-line">
          {data?.links.map((link) => (
            <PhoneRow key={link.connection_id} link={link} />
          ))}
        </ul>
        {data && <Explained {...data} />}
      </Card>
    </Section>
  );
}

function PhoneRow({ link }: { link: TelegramLink }) {
  const linking = useCall(async () => ({ code: await linkPhone(link.connection_id), before: link.linked_at }), {
    refreshes: [telegramQuery.queryKey],
    failure: 'Not connected',
  });
  const unlinking = useCall(() => unlinkPhone(link.connection_id), {
    refreshes: [telegramQuery.queryKey],
    failure: 'Not disconnected',
  });
  const isWaiting = linking.answer?.before === link.linked_at;
  return (
    <li className="space-y-4 p-5">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <div className="min-w-0 text-sm">
          <p className="font-medium">{link.linked_as ? `Connected as ${link.linked_as}` : 'No phone connected'}</p>
          <p className="text-[13px] text-faint">
            <PhoneState link={link} />
          </p>
        </div>
        <div className="flex gap-2">
          {link.linked_as && (
            <Button
              size="small"
              look="quiet"
              icon={<Unlink className="size-3.5" />}
              aria-label={`Disconnect the phone from ${link.bot}`}
              isBusy={unlinking.isBusy}
              onClick={() => unlinking.call(undefined, { onSuccess: () => linking.reset() })}
            >
              Disconnect
            </Button>
          )}
          <Button
            size="small"
            icon={<Smartphone className="size-3.5" />}
            isBusy={linking.isBusy}
            onClick={() => linking.call()}
          >
            {link.linked_as ? 'Connect another phone' : 'Connect your phone'}
          </Button>
        </div>
      </div>
      {link.failure && link.state === 'failing' && <Notice tone="wait">{link.failure}</Notice>}
      {isWaiting && linking.answer && <Code code={linking.answer.code} />}
    </li>
  );
}

function PhoneState({ link }: { link: TelegramLink }) {
  if (!link.linked_as) return <>at {link.bot}</>;
  return (
    <>
      at {link.bot}
      {link.brain_name && <> · notes go to {link.brain_name}</>}
      {link.last_heard_at && (
        <>
          {' '}
          · heard <Ago at={link.last_heard_at} />
        </>
      )}
    </>
  );
}

/** The way from this screen to the phone: its camera, or Telegram on this machine. */
function Code({ code: { url, bot, expires_at } }: { code: PhoneCode }) {
  const now = useNow(5_000);
  if (new Date(expires_at) < now) return <Notice tone="plain">The link has expired. Create a new one.</Notice>;
  return (
    <div className="flex flex-wrap items-center gap-5 rounded-xl bg-sunken p-4">
      <QrCode text={url} label={`Connect to ${bot}`} />
      <div className="min-w-52 flex-1 space-y-3 text-sm text-soft">
        <p>Scan this code with your phone, open Telegram and press Start.</p>
        <a href={url} target="_blank" rel="noreferrer" className={getButtonClass('primary', 'small')}>
          Open Telegram here
        </a>
        <p className="text-[13px] text-faint">
          It works once, until {formatExactMoment(expires_at)}. Show it to nobody.
        </p>
      </div>
    </div>
  );
}

function Explained({ commands, understands_wishes: usesModel }: TelegramLinks) {
  return (
    <div className="space-y-3 border-t border-line p-5 text-sm text-soft">
      <p>
        {usesModel
          ? 'Write as you would to a person. The bot stores facts, answers questions and drafts actions. Your rules apply. A language model reads your messages.'
          : 'The bot stores statements word for word. It answers questions: messages that end with a question mark, and short ones that begin with a word such as “where”.'}{' '}
        If you edit a message, its memory changes too. The bot does not read pictures, voice or files.
      </p>
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1">
        {commands.map(({ command, takes, description }) => (
          <div key={command} className="contents">
            <dt className="font-mono text-[13px]">
              /{command}
              {takes && <span className="text-faint"> {takes}</span>}
            </dt>
            <dd>{description}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
