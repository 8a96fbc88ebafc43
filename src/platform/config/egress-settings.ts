// The settings of requests that leave.
import { trimLetters } from '#kernel/trim-end';
import { z } from 'zod';

const origins = z.string().transform((text) => text.split(/[\s,]+/).filter(Boolean));

export const egressSettings = {
  THALAMUS_EGRESS_ALLOW: {
    schema: origins.default([]),
    about:
      'Private or plain-http targets that outgoing requests may reach, as `scheme://host:port`, separated by commas.',
    example: 'http://127.0.0.1:11434',
  },
  THALAMUS_WEB_BASE_URL: {
    schema: z
      .url({ protocol: /^https?$/ })
      .transform((url) => trimLetters(url, '/'))
      .optional(),
    about:
      'Replaces every host of recipes and of `http_fetch`, for an emulator or a proxy; `X-Forwarded-Host` has the real one. It may be private. Rules and grants still see the real host.',
    example: 'http://127.0.0.1:4700',
  },
};
