// A client of Slack for the emulator's own tests: forms for reading, JSON for writing.
import { createTokenClient, postForm } from '../kit/api-client.ts';

/** Calls methods with a token, or without one. */
export class WebClient {
  readonly url: string;
  readonly token: string | undefined;

  constructor(url: string, token?: string) {
    this.url = url;
    this.token = token;
  }

  /** Posts a form. */
  async call(method: string, args: Record<string, unknown> = {}): Promise<Record<string, unknown>> {
    const form = Object.fromEntries(Object.entries(args).map(([name, value]) => [name, String(value)]));
    const headers: Record<string, string> = this.token ? { authorization: `Bearer ${this.token}` } : {};
    return (await postForm(this.url, `/api/${method}`, form, headers)).body;
  }

  /** Posts JSON. */
  async json(method: string, json: Record<string, unknown>): Promise<Record<string, unknown>> {
    return (await createTokenClient(this.url, this.token)('POST', `/api/${method}`, { json })).body;
  }
}
