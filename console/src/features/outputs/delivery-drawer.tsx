import { useQuery } from '@tanstack/react-query';
import { Button } from '../../design/button.tsx';
import { Drawer } from '../../design/drawer.tsx';
import { DrawerSection } from '../../design/drawer-section.tsx';
import { Tag } from '../../design/page.tsx';
import { formatByteCount } from '../../design/size.ts';
import { ErrorState, Skeleton } from '../../design/states.tsx';
import { formatExactMoment } from '../../design/time.tsx';
import { notifyFailure } from '../../design/toasts.tsx';
import { CodeBlock } from '../../design/code-block.tsx';
import { formatReadableText } from '../../design/readable.ts';
import { useHasScope } from '../../entities/me.ts';
import { buildDeliveryQuery, replayDelivery, type DeliveryDetail, type Destination } from './requests.ts';
import { deliveryText, deliveryTone } from './words.ts';
import { useCall } from '../../design/use-call.ts';

type DestinationKind = Destination['output_destination_kind'];
type Props = { kind: DestinationKind; deliveryId: string | undefined; onClose: () => void };

/** One delivery beside the list: its attempts, what was sent, and a replay. */
export function DeliveryDrawer({ kind, deliveryId, onClose }: Props) {
  return (
    <Drawer isOpen={deliveryId !== undefined} onClose={onClose} title="Delivery">
      {deliveryId && <Content key={deliveryId} {...{ kind, deliveryId }} />}
    </Drawer>
  );
}

function Content({ kind, deliveryId }: { kind: DestinationKind; deliveryId: string }) {
  const { data: delivery, error, isPending } = useQuery(buildDeliveryQuery(deliveryId));
  const mayChange = useHasScope('connectors:write');
  const replaying = useCall(() => replayDelivery(deliveryId), {
    refreshes: ['outputs'],
    success: ['Delivery is sent again', 'It has the same webhook-id, so your service can tell.'],
    onError: (failure) => notifyFailure('The delivery was not sent again', failure),
  });
  if (isPending) return <Skeleton label="Loading the delivery" />;
  if (error) return <ErrorState error={error} />;
  const { status, webhook_id, created_at, payload, payload_bytes } = delivery;
  return (
    <div className="space-y-6">
      <div className="space-y-2 text-sm">
        <p>
          <Tag tone={deliveryTone[status]}>{deliveryText[kind][status]}</Tag>
        </p>
        <p className="text-soft">
          {formatExactMoment(created_at)} · {formatByteCount(payload_bytes)}
        </p>
        <p className="font-mono text-xs text-faint wrap-anywhere">webhook-id: {webhook_id}</p>
      </div>
      {mayChange && kind === 'webhook' && payload !== null && (
        <Button size="small" isBusy={replaying.isBusy} onClick={() => replaying.call()}>
          Replay
        </Button>
      )}
      {kind === 'webhook' && <Attempts of={delivery} />}
      <DrawerSection title="Payload">
        {payload === null ? (
          <p className="text-sm text-soft">The payload is no longer kept.</p>
        ) : (
          <CodeBlock label="Payload" text={formatReadableText(payload)} />
        )}
      </DrawerSection>
    </div>
  );
}

function Attempts({ of: { attempt_rows: attempts } }: { of: DeliveryDetail }) {
  return (
    <DrawerSection title="Attempts">
      {!attempts.length && <p className="text-sm text-soft">Not tried yet.</p>}
      <ol aria-label="Attempts" className="divide-y divide-line rounded-xl border border-line text-sm empty:hidden">
        {attempts.map(({ number, at, http_status, error, duration_ms, delivered }) => (
          <li key={at} className="px-3.5 py-2.5">
            <p className="flex flex-wrap items-center gap-2">
              <span className="font-medium">Attempt {number}</span>
              <Tag tone={delivered ? 'go' : 'stop'}>{http_status === null ? 'No answer' : `HTTP ${http_status}`}</Tag>
              <span className="ml-auto text-[13px] text-faint">{duration_ms} ms</span>
            </p>
            <p className="mt-0.5 text-[13px] text-faint">{formatExactMoment(at)}</p>
            {error && <p className="mt-1 text-stop wrap-anywhere">{error}</p>}
          </li>
        ))}
      </ol>
    </DrawerSection>
  );
}
