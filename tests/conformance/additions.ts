import { InMemoryServerEventBus } from '@modelcontextprotocol/server';
import type { Additions } from '../../src/server.ts';
import { createClientRequestTools } from './fixtures/client-requests.ts';
import { createInputRequiredTools, stateCodec } from './fixtures/input-required.ts';
import { addPrompts, addResources } from './fixtures/methods.ts';
import { operations } from './fixtures/operations.ts';
import { changeTools, createContentTools } from './fixtures/tools.ts';

/** What the conformance suite expects of a server beside the product. */
export function createConformanceAdditions(): Additions {
  const bus = new InMemoryServerEventBus();
  return {
    operations,
    mcp: {
      tools: [
        ...createContentTools(),
        ...createInputRequiredTools(),
        ...createClientRequestTools(),
        ...changeTools(bus),
      ],
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
