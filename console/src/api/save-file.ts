import { post } from './call.ts';

/** An address at which this browser gets a file of the server once, within a minute. */
export async function createFileAddress(path: string): Promise<string> {
  const { url } = await post<{ url: string }>('/v1/downloads', { path });
  return url;
}

/** Saves a file of the server. A link alone cannot prove whose session it is. */
export async function saveFile(path: string): Promise<void> {
  const link = document.createElement('a');
  link.href = await createFileAddress(path);
  link.download = '';
  link.click();
}
