#!/usr/bin/env node
/** The `thalamus` command: runs cli/main.ts on the pinned Node. `start` also builds the console when it has changed. */
import { join } from 'node:path';
import { replaceProcess, prepare, root, runOn } from './bootstrap.mjs';
import { isConsoleStale } from './console-stamp.mjs';
import { nodeFlags } from './node-flags.mjs';
import { endLike } from './run-child.mjs';

const args = process.argv.slice(2);
const node = await prepare();
if (args[0] === 'start' && isConsoleStale(root)) {
  const built = await runOn(node, [join(root, 'scripts/build-console.ts')]);
  if (built.code !== 0) endLike(built);
}
await replaceProcess(node, [...nodeFlags, join(root, 'cli/main.ts'), ...args]);
