import { expect, test } from 'vitest';
import { httpJsonWrites } from './write.ts';

const [sendRequest] = httpJsonWrites;
const parse = (path: string) => sendRequest!.payload.safeParse({ ...sendRequest!.example, path });

test.for(['/%74ransfer', '/a/../transfer', '/%7eada', '/a%2ftransfer', '//transfer'])(
  'a request to %s is not drafted: its path would change before it is sent',
  (path) => expect(parse(path).success).toBe(false),
);

test.for(['/x/..%2Ftransfer', '/.%2F/transfer', '/%2Ftransfer', '/transfer;v=1', '/%2574ransfer'])(
  'a rule about /transfer applies when %s is requested',
  (path) => {
    const parsed = parse(path);
    expect(parsed.success, JSON.stringify(parsed.error?.issues)).toBe(true);
    const { what, readings = [] } = sendRequest!.target(parsed.data!);
    expect([what, readings[0]]).toEqual([`POST ${path}`, `POST ${path}`]);
    expect(readings).toContain('POST /transfer');
  },
);
