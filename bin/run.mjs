#!/usr/bin/env node
/** `node bin/run.mjs <script.ts> [arguments]`: runs a script of this repository on the pinned Node. */
import { replaceProcess, fail, prepare } from './bootstrap.mjs';

const [script, ...args] = process.argv.slice(2);
if (!script) fail('Usage: node bin/run.mjs <script.ts> [arguments]');
await replaceProcess(await prepare(), [script, ...args]);
