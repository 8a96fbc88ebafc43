import { defineModule } from '#kernel/module';
import { getDocumentStorage } from '#modules/documents';
import type { Ground } from '#platform';
import { importTrainingData } from './operations/import-training-data.ts';
import { trainingDownload } from './operations/training-download.ts';
import { createTrainingExport } from './operations/training-export.ts';
import { trainingStatus } from './operations/training-status.ts';
import { portablePairs } from './portable.ts';

/** Data for fine-tuning models, made from the contents of brains. */
export const trainingModule = defineModule<Ground>({
  name: 'training',
  portable: portablePairs,
  operations: (ground) => [
    trainingStatus,
    createTrainingExport({ publicUrl: ground.config.publicUrl }),
    trainingDownload,
    importTrainingData(getDocumentStorage(ground)),
  ],
});
