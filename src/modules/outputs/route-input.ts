// The input for attaching a route: a source of one kind, a destination, and filters.
import { createExampleId } from '#kernel/examples';
import { brainId } from '#modules/brains';
import { webhookConnectorId } from '#modules/webhooks';
import { z } from 'zod';
import { destinationId } from './ids.ts';
import type { RouteSource } from './check-route.ts';
import { formats, sourceKinds } from './store/tables.ts';

const fields = z.strictObject({
  output_source_kind: z
    .enum(sourceKinds)
    .describe(
      "webhook_connector: documents of a connector. brain: changes of memories and pages in a brain. drafts, runs: those of the destination's owner.",
    ),
  output_source_id: webhookConnectorId.optional().describe('Of webhook_connector.'),
  output_source_brain_id: brainId.optional().describe('Of brain.'),
  output_destination_id: destinationId,
  output_payload_format: z
    .enum(formats)
    .default('translated_docs')
    .describe('translated_docs: the matching documents. raw_payload: the request as received.'),
  output_type_filter: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .optional()
    .describe(
      'Only documents of exactly this type; for other sources only events with this name, such as draft.decided.',
    ),
  output_tag_filter: z
    .array(z.string().trim().min(1).max(100))
    .max(50)
    .optional()
    .describe('Only documents with all these tags.'),
});
export type RouteInput = z.output<typeof fields>;

/** The input of `attach_output_route`. */
export const routeInput = fields.superRefine((asked, check) => {
  const refuse = (path: keyof RouteInput, message: string) => check.addIssue({ code: 'custom', path: [path], message });
  const { output_source_kind: kind, output_source_id, output_source_brain_id } = asked;
  if ((kind === 'webhook_connector') !== (output_source_id !== undefined))
    refuse('output_source_id', 'Pass the connector for webhook_connector, and for no other kind.');
  if ((kind === 'brain') !== (output_source_brain_id !== undefined))
    refuse('output_source_brain_id', 'Pass the brain for brain, and for no other kind.');
  if (kind === 'webhook_connector') return;
  if (asked.output_payload_format === 'raw_payload')
    refuse('output_payload_format', 'Only requests to a connector have a raw payload. Leave it out.');
  if (asked.output_tag_filter?.length) refuse('output_tag_filter', 'Events of the product have no tags. Leave it out.');
});

export const routeExamples: readonly { title: string; input: z.input<typeof fields> }[] = [
  {
    title: 'Only incidents',
    input: {
      output_source_kind: 'webhook_connector',
      output_source_id: createExampleId('webhook_connector'),
      output_destination_id: createExampleId('output_destination'),
      output_payload_format: 'translated_docs',
      output_type_filter: 'incident',
      output_tag_filter: ['urgent'],
    },
  },
  {
    title: 'Changes in a brain',
    input: {
      output_source_kind: 'brain',
      output_source_brain_id: createExampleId('brain'),
      output_destination_id: createExampleId('output_destination'),
    },
  },
  {
    title: 'Decided drafts',
    input: {
      output_source_kind: 'drafts',
      output_destination_id: createExampleId('output_destination'),
      output_type_filter: 'draft.decided',
    },
  },
];

/** The source, as a route stores it. */
export function getRouteSource(asked: RouteInput): RouteSource {
  return {
    source_kind: asked.output_source_kind,
    source_id: asked.output_source_id ?? null,
    brain_id: asked.output_source_brain_id ?? null,
  };
}
