/** The frames of an event stream, each with the empty line that ends it, however the bytes were cut. */
export async function* readFrames(response: Response): AsyncGenerator<string> {
  let rest = '';
  for await (const text of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const frames = (rest + text).split('\n\n');
    rest = frames.pop() ?? '';
    for (const frame of frames) yield `${frame}\n\n`;
  }
}
