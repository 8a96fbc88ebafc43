import { expect, test } from 'vitest';
import { isOwnPath, ownPath } from './own-path.ts';

test.each(['/', '/integrations', '/inbox/1?from=mail#body', '/a//b', '/@user', '/%2F%2Fevil.example'])(
  'the path %s stays on this server',
  (path) => {
    expect(isOwnPath(path)).toBe(true);
  },
);

test.each([
  '//evil.example',
  '///evil.example',
  '/\\evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  '\t//evil.example',
  '/\r\n/evil.example',
  '/\u2028/evil.example\u202E',
  'https://evil.example',
  'javascript:alert(1)',
  'evil.example',
  '',
  './/evil.example',
])('the path %j leads elsewhere and is refused', (path) => {
  expect(ownPath.safeParse(path).success).toBe(isOwnPath(path));
  expect(isOwnPath(path)).toBe(false);
});
