import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api/call.ts';
import { Button } from '../../design/button.tsx';
import { Card } from '../../design/page.tsx';
import { Section } from '../../design/section.tsx';
import { ErrorState } from '../../design/states.tsx';
import { Ago } from '../../design/time.tsx';
import { BrainField } from '../../entities/brain-field.tsx';
import { reviewsQuery, type Review } from './requests.ts';
import { useCall } from '../../design/use-call.ts';

/** Texts that the router was unsure about. A click moves a text, and the router learns from it. */
export function ReviewSection() {
  const { data, error } = useQuery(reviewsQuery);
  if (error) return <ErrorState error={error} />;
  if (!data?.total) return null;
  return (
    <Section
      title={`Where does this belong? (${data.total})`}
      lead="These texts are in a default brain, because no brain was a clear match. Your choice teaches the router."
    >
      <Card>
        <ul className="divide-y divide-line">
          {data.reviews.map((review) => (
            <ReviewRow key={review.review_id} of={review} />
          ))}
        </ul>
      </Card>
    </Section>
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
    <li className="space-y-3 px-5 py-4">
      <p className="line-clamp-3 text-sm wrap-anywhere">{review.content}</p>
      <p className="text-[13px] text-faint">
        {review.source} · in {review.brain_name} · <Ago at={review.created_at} />
      </p>
      <div className="flex flex-wrap items-end gap-2">
        <Button size="small" isBusy={deciding.isBusy} onClick={() => deciding.call(review.brain_id)}>
          Keep in {review.brain_name}
        </Button>
        {others.map(({ brain_id, brain_name, confidence }) => (
          <Button key={brain_id} size="small" onClick={() => deciding.call(brain_id)}>
            Move to {brain_name} ({Math.round(confidence * 100)} %)
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
