import { useQuery } from '@tanstack/react-query';
import { Signpost } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../api/call.ts';
import { Button } from '../../design/button.tsx';
import { ListPage } from '../../design/list-page.tsx';
import { Ago } from '../../design/time.tsx';
import { useCall } from '../../design/use-call.ts';
import { BrainField } from '../../entities/brain-field.tsx';
import { reviewsQuery, type Review } from './requests.ts';

/** Texts that the router was unsure about. A click moves a text, and the router learns from it. */
export function ToSortPage() {
  const query = useQuery(reviewsQuery);
  const { total = 0, reviews } = query.data ?? {};
  return (
    <ListPage
      title="To sort"
      lead="No brain was a clear match for these texts, so a default brain has them. Your choice teaches the router."
      noun="texts"
      query={{ ...query, data: reviews }}
      getKey={({ review_id }) => review_id}
      renderRow={(review) => <ReviewRow of={review} />}
      status={reviews && total > reviews.length && `The newest ${reviews.length} of ${total}`}
      empty={{
        icon: <Signpost />,
        title: 'Nothing to sort',
        children: 'When a source sends a text that fits several brains, or none, you choose its brain here.',
      }}
    />
  );
}

function ReviewRow({ of: review }: { of: Review }) {
  const [other, setOther] = useState('');
  const deciding = useCall(
    (brainId: string) => call('resolve_routing_review', { review_id: review.review_id, brain_id: brainId }),
    {
      refreshes: [['ingest', 'reviews']],
      success: ({ outcome }) => [outcome === 'moved' ? 'Moved' : 'Kept where it is', 'The router learns from this.'],
      failure: 'The text was not moved',
    },
  );
  const others = review.candidates.filter(({ brain_id }) => brain_id !== review.brain_id).slice(0, 3);
  return (
    <li className="space-y-3 px-4 py-4 sm:px-5">
      <p className="line-clamp-3 text-sm wrap-anywhere">{review.content}</p>
      <p className="text-[13px] text-faint">
        {review.source} · in {review.brain_name} · <Ago at={review.created_at} />
      </p>
      <div className="flex flex-wrap items-center gap-2">
        <Button size="small" isBusy={deciding.isBusy} onClick={() => deciding.call(review.brain_id)}>
          Keep in {review.brain_name}
        </Button>
        {others.map(({ brain_id, brain_name, confidence }) => (
          <Button key={brain_id} size="small" onClick={() => deciding.call(brain_id)}>
            Move to {brain_name}
            {confidence >= 0.01 && ` (${Math.round(confidence * 100)} %)`}
          </Button>
        ))}
        <BrainField
          label={`Another brain for: ${review.content.slice(0, 40)}`}
          isLabelHidden
          canWrite
          value={other}
          onChange={(event) => {
            setOther(event.target.value);
            if (event.target.value) deciding.call(event.target.value);
          }}
        >
          <option value="">Another brain…</option>
        </BrainField>
      </div>
    </li>
  );
}
