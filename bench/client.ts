// Calls over HTTP on connections that are kept open.
import { Pool } from 'undici';

export type Client = {
  url: string;
  /** `POST /v1/tools/{operation}`; answers the body. Throws unless the status is 200. */
  call(operation: string, input: unknown): Promise<Record<string, unknown>>;
  close(): Promise<void>;
};

/** A client of an address with up to 8 connections. */
export function connectTo(url: string, key: string): Client {
  const pool = new Pool(url, { connections: 8, pipelining: 1, headersTimeout: 120_000 });
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  return {
    url,
    async call(operation, input) {
      const path = `/v1/tools/${operation}`;
      const response = await pool.request({ method: 'POST', path, headers, body: JSON.stringify(input) });
      if (response.statusCode !== 200) throw new Error(`${operation} answered ${await response.body.text()}`);
      return (await response.body.json()) as Record<string, unknown>; // an operation answers an object
    },
    close: () => pool.close(),
  };
}

/** The times of `count` calls, `lanes` at a time, in ms. */
export async function measureCalls(call: () => Promise<unknown>, count: number, lanes = 1): Promise<number[]> {
  const times: number[] = [];
  let left = count;
  const lane = async () => {
    while (left-- > 0) {
      const start = performance.now();
      await call();
      times.push(performance.now() - start);
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return times;
}
