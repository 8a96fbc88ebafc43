import { randomInt } from 'node:crypto';
import { defineModule, listPortables } from '#kernel/module';
import type { ReadLimits } from '#modules/brains';
import type { Ground } from '#platform';
import { importResource } from './ids.ts';
import { addImportLines } from './operations/add-import-lines.ts';
import { finishImport } from './operations/finish-import.ts';
import { startImport } from './operations/start-import.ts';
import { dropAbandoned } from './store.ts';

const abandonedKeptMs = 7 * 24 * 60 * 60 * 1000;
/** Ids move into the past by up to 17 years, in milliseconds. */
const mostShift = 2 ** 39;

/** Archives that move brains between servers. */
export const createArchivesModule = ({ readLimits }: { readLimits: ReadLimits }) =>
  defineModule<Ground>({
    name: 'archives',
    resources: [importResource],
    tidy: (db, at) => dropAbandoned(db, new Date(at.getTime() - abandonedKeptMs)),
    operations(ground) {
      const portable = listPortables(ground);
      return [
        startImport({ newShift: () => randomInt(1, mostShift) }),
        addImportLines(portable),
        finishImport({ portable, readLimits }),
      ];
    },
  });
