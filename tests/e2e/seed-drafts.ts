import { runSql } from '../../bench/postgres.ts';

/**
 * Puts copies of the one draft there is beside it, newer ones with higher numbers, every twenty-fifth to thirtieth of a
 * hundred in a batch, of which every tenth has a part that is not shown whole. They can be looked at and declined.
 */
export async function seedDrafts(databaseUrl: string, howMany: number): Promise<void> {
  await runSql(
    databaseUrl,
    `with one as (select * from drafts limit 1),
      drafted as (
        select n, gen_random_uuid() as id, jsonb_build_object('to', jsonb_build_array('person' || n % 313 || '@example.com'), 'cc', '[]'::jsonb, 'bcc', '[]'::jsonb,
          'subject', 'Subject ' || n, 'body', repeat('Thursday at nine would suit us all. ', 5 + n % 30)) as payload
        from generate_series(1, $1::integer) as n)
     insert into drafts (id, workspace_id, brain_id, person_id, connection_id, account, source, action, payload, payload_hash,
         drafted_hash, preview, batch_id, notify_targets, drafted_by, drafted_by_label, drafted_by_kind, policy, status, created_at, expires_at)
       select drafted.id, workspace_id, brain_id, person_id, connection_id, account, source, action, drafted.payload,
         'hash ' || n, 'hash ' || n, jsonb_set(preview, '{isComplete}', to_jsonb(n % 1000 <> 930)), case when n % 100 between 25 and 30 then overlay(overlay(md5('batch ' || n / 100) placing '4' from 13) placing 'a' from 17)::uuid end, notify_targets,
         drafted_by, drafted_by_label, drafted_by_kind, policy, 'pending', created_at + n * interval '1 ms',
         now() + interval '1 day' from one, drafted`,
    [howMany],
  );
  await runSql(databaseUrl, 'analyze drafts');
}
