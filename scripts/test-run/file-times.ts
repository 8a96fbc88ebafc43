/** A reporter of Vitest that writes how long each file took, with its imports and hooks: the JSON report has only the tests. */
import { writeFileSync } from 'node:fs';
import type { Reporter } from 'vitest/node';
import { z } from 'zod';

export const fileTimes = z.array(z.object({ file: z.string(), seconds: z.number() }));
/** The setting that names the file to write. */
export const timesSetting = 'TEST_FILE_TIMES';

/** Vitest calls it with `new`. */
export default function createReporter(): Reporter {
  return {
    onTestRunEnd(modules) {
      const target = process.env[timesSetting];
      if (!target) return;
      const times: z.infer<typeof fileTimes> = modules.map((each) => {
        const { collectDuration, setupDuration, duration } = each.diagnostic();
        return { file: each.relativeModuleId, seconds: (collectDuration + setupDuration + duration) / 1_000 };
      });
      writeFileSync(target, JSON.stringify(times));
    },
  };
}
