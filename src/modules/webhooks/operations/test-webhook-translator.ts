import type { Context } from '#kernel/context';
import { AppError, createNotFoundError } from '#kernel/errors';
import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import type { Sandbox } from '#platform/sandbox';
import { z } from 'zod';
import { settingFields } from '../connector-fields.ts';
import { fixtureId } from '../ids.ts';
import { findConnector, findVersion, findVersionByNumber } from '../store/connectors.ts';
import { dropPass, findFixture, putPass } from '../store/fixtures.ts';
import type { FixtureRow, VersionRow } from '../store/tables.ts';
import { buildFixtureInput } from '../translating/build-input.ts';
import { translate, type TranslationRun } from '../translating/translate.ts';

export const versionNumber = z.number().int().min(1).max(1_000_000);

const input = z.strictObject({
  fixture_id: fixtureId,
  version: versionNumber.optional().describe('Default: the newest version.'),
  translator_code: settingFields.translator_code.describe(
    "Code that is not saved yet, run instead of the version's code. It never counts as a pass.",
  ),
  translator_runtime: settingFields.translator_runtime.describe(
    'The runtime of translator_code. Default: that of the version.',
  ),
});
type Input = z.output<typeof input>;

const output = z.object({
  passed: z.boolean(),
  summary: z.string(),
  version: z.number().int().describe('The saved version; for unsaved code, the one whose code it replaces.'),
  translator_output: z.unknown(),
  first_document_preview: z.string().nullable(),
  logs: z.string(),
  duration_ms: z.number().int(),
});

type LoadedFixture = { fixture: FixtureRow; version: VersionRow; isSaved: boolean };

export function testWebhookTranslator({ sandbox }: { sandbox: Sandbox }) {
  return defineOperation({
    name: 'test_webhook_translator',
    shortNames: ['test_translator'],
    summary:
      'Run the translator on a fixture without storing anything, and record whether it passed; or try code before you save it.',
    toolset: 'webhooks',
    effect: 'write',
    access: { scope: 'connectors:write', isForPeople: true },
    rest: [{ method: 'POST', path: '/v1/webhook-fixtures/{fixture_id}/test' }],
    input,
    output,
    errors: ['not_found', 'invalid_input', 'unavailable'],
    examples: [
      { title: 'Before activation', input: { fixture_id: createExampleId('webhook_fixture') } },
      {
        title: 'Before saving',
        input: {
          fixture_id: createExampleId('webhook_fixture'),
          translator_code: 'function translate({ body }) { return { documents: [{ content: body.text }] }; }',
        },
      },
    ],
    run: load,
    async afterCommit(ctx, { fixture, version, isSaved }) {
      const input = await ctx.transact(({ db }) => buildFixtureInput(db, fixture));
      const translated = await translate(sandbox, version, input, {
        domain: null,
        turn: { kind: 'test', of: ctx.caller.personId },
      });
      const { passed, summary } = judgeFixture(fixture, translated);
      if (isSaved) await ctx.transact((inner) => notePass(inner, { fixture, version }, passed));
      const { translation, output: translator_output = null, logs, durationMs: duration_ms } = translated;
      const first = translation.kind === 'documents' ? (translation.documents[0]?.content ?? null) : null;
      return {
        passed,
        summary,
        version: version.number,
        translator_output,
        first_document_preview: first?.slice(0, 500) ?? null,
        logs,
        duration_ms,
      };
    },
  });
}

async function load(
  { db }: Context,
  { fixture_id, version: number, translator_code: code, translator_runtime }: Input,
): Promise<LoadedFixture> {
  const fixture = await findFixture(db, fixture_id);
  const connector = await findConnector(db, fixture.connector_id);
  if (!connector) throw createNotFoundError('webhook connector');
  const version =
    number === undefined
      ? await findVersion(db, connector.head_version_id)
      : await findVersionByNumber(db, connector.id, number);
  if (!version) throw createNotFoundError('version');
  if (code !== undefined)
    return {
      fixture,
      version: { ...version, code, runtime: translator_runtime ?? version.runtime },
      isSaved: false,
    };
  if (translator_runtime !== undefined)
    throw new AppError('invalid_input', 'translator_runtime belongs to translator_code. Send both, or neither.');
  if (version.code === null)
    throw new AppError('invalid_input', 'There is no translator yet. Set translator_code with update_webhook_config.');
  return { fixture, version, isSaved: true };
}

function notePass({ db, now, caller }: Context, { fixture, version }: Omit<LoadedFixture, 'isSaved'>, passed: boolean) {
  const of = { fixture_id: fixture.id, version_id: version.id };
  return passed ? putPass(db, { ...of, workspace_id: caller.workspaceId, passed_at: now }) : dropPass(db, of);
}

/** Whether a fixture passed, in words. */
function judgeFixture({ expected_outcome: expected }: FixtureRow, { translation }: TranslationRun) {
  if (translation.kind === 'error') return { passed: false, summary: translation.message };
  const found = translation.kind === 'drop' ? 'drop' : 'ingest';
  const what =
    translation.kind === 'drop'
      ? `It was dropped: ${translation.reason}`
      : `It became ${translation.documents.length} document${translation.documents.length === 1 ? '' : 's'}.`;
  return found === expected
    ? { passed: true, summary: what }
    : { passed: false, summary: `${what} The fixture expects ${expected}.` };
}
