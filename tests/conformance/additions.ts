import { InMemoryServerEventBus } from '@modelcontextprotocol/server';
import type { Additions } from '../../src/server.ts';
import { clientRequestTools } from './fixtures/client-requests.ts';
import { inputRequiredTools, stateCodec } from './fixtures/input-required.ts';
import { addPrompts, addResources } from './fixtures/methods.ts';
import { operations } from './fixtures/operations.ts';
import { changeTools, contentTools } from './fixtures/tools.ts';

/** What the conformance suite expects of a server beside the product. */
export function conformanceAdditions(): Additions {
  const bus = new InMemoryServerEventBus();
  return {
    operations,
    mcp: {
      tools: [...contentTools(), ...inputRequiredTools(), ...clientRequestTools(), ...changeTools(bus)],
      capabilities: {
        tools: { listChanged: true },
        prompts: { listChanged: true },
        resources: { subscribe: true, listChanged: true },
        completions: {},
        logging: {},
      },
      requestState: { verify: stateCodec.verify },
      bus,
      prepare(server) {
        addResources(server);
        addPrompts(server);
      },
    },
  };
}
