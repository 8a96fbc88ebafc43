import { AppError, createNotFoundError } from '#kernel/errors';
import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import { checkRead } from '#modules/policy';
import { z } from 'zod';
import { installId } from '../ids.ts';
import { getReadingTemplate, readInstall, readingLeaseMs, type InstallReadingDeps } from '../readings/read-install.ts';
import { beginReading, findInstall, type ReadingRow } from '../store/readings.ts';

const count = z.number().int();

export function runRecipeInstall(deps: InstallReadingDeps) {
  return defineOperation({
    name: 'run_recipe_install',
    summary: 'Read a declarative integration now. Items that are known write nothing; if it fails, all pages stay.',
    toolset: 'recipes',
    effect: 'external_read',
    access: { scope: 'recipes:install', brain: { role: 'editor', of: 'install_id' } },
    rest: [{ method: 'POST', path: '/v1/recipe-installs/{install_id}/run' }],
    input: z.strictObject({ install_id: installId }),
    output: z.object({
      install_id: z.uuid(),
      requests: count,
      retries: count,
      items: count.describe('How many items the answers had.'),
      pages: count.describe('How many of them became new pages.'),
      bytes: count,
      errors: z.array(z.string()).describe('Items that became no page, and why.'),
    }),
    errors: ['not_found', 'forbidden', 'conflict', 'invalid_input', 'upstream_failed', 'unavailable'],
    examples: [{ title: 'Now', input: { install_id: createExampleId('recipe_install') } }],
    async run(ctx, { install_id }): Promise<ReadingRow> {
      const known = await findInstall(ctx.db, install_id);
      if (!known) throw createNotFoundError('install');
      getReadingTemplate(known);
      if (known.state !== 'active' && known.state !== 'failing')
        throw new AppError('conflict', `It is ${known.state}. Activate it with update_recipe_install first.`);
      const install = await beginReading(ctx.db, install_id, { forMs: readingLeaseMs, isDue: false });
      if (!install) throw new AppError('conflict', 'It is being read at this moment. Look again in a minute.');
      return install;
    },
    async afterCommit(ctx, install, { install_id }) {
      const { counts, failure, errors } = await readInstall(deps, install, {
        judge: (db, host, targets) => checkRead({ db, caller: ctx.caller }, 'http', host, targets),
        transact: (work) => ctx.transact(work),
      });
      if (failure !== undefined) throw failure;
      return { install_id, ...counts, errors };
    },
  });
}
